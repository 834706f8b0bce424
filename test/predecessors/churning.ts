import { assert } from "@effect/vitest"
import { defaultModes, turnOver } from "../../src/domain/words/session/Session.ts"
import { holds } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"
import { ended, frame, own, play, started, type Trace, working } from "../support/session/trace.ts"

/** Work that outlives its turn. */

const left: Trace = [
  [1, own("rest")],
  [1, frame()],
  [10, own("rest", { background: true })],
  [10, frame({ background: 1 })]
]
/** Whether a session with background work is ready, by its mode. */
const readyIn = (churn: "wait" | "send", trace = left) => {
  const { view } = play(trace, 30, { modes: { ...defaultModes, churn } })
  assert.strictEqual(view.state, "churning")
  return view.ready
}
const turnLine = (text: string) =>
  `out[clr: "✻ ${text}" / "" / "────────────────────────────────" / "❯ " / "────────────────────────────────" / "  Press Ctrl-C again to exit"]; poll→CHURN`

export const listed: ReadonlyArray<ListedRows> = [
  { ids: ["CH-023", "CH-024"], why: "no reply is captured for a chat program: bridges to chats are no part of leap" }
]

export const rows: ReadonlyArray<ScenarioRow> = [
  holds(
    "CH-001",
    "monitors in the turn's end and in the mode line",
    "claude",
    [
      ...["Cooked", "Brewed", "Churned", "Sautéed", "Worked", "Baked"].map((verb) =>
        turnLine(`${verb} for 2s · done 7:47 AM · 1 monitor still running`)
      ),
      "out[clr: txt / MON]; poll→CHURN",
      "out[clr: txt / HR / ❯row / HR / MON]; poll→CHURN"
    ].join("; out[clr: txt]; poll→IDLE; ")
  ),
  holds(
    "CH-002",
    "a hint below the mode line",
    "claude",
    'out[clr: "● Started." / "" / "────────────────────────────────" / "❯ " / "────────────────────────────────" / "  ⏸ manual mode on · 2 monitors · ← for agents" / "  Image in clipboard · ctrl+v to paste"]; poll→CHURN'
  ),
  holds("CH-003", "a mode line without any", "claude", "out[clr: txt / MODE]; poll→IDLE"),
  holds(
    "CH-004",
    "a screen that does not tell",
    "claude",
    "[#1]; out[clr: txt]; poll→IDLE; [#2]; out[clr: txt / MON]; poll→CHURN; out[clr: –]; poll→CHURN"
  ),
  holds(
    "CH-005",
    "a reply that speaks of monitors",
    "claude",
    'out[clr: "● There are 3 monitors still running" / "  and · 3 monitors here" / HR / ❯row / HR / MODE]; poll→IDLE'
  ),
  holds("CH-006", "blank rows below it", "claude", "resize 80x100; out[clr: txt / MON]; poll→CHURN"),
  holds(
    "CH-007",
    "a reply that speaks of the mode line",
    "claude",
    'out[clr: "● Press it for agents" / >]; poll→IDLE; out[clr: txt / MODE]; poll→IDLE'
  ),
  holds(
    "CH-008",
    "another CLI's words mean nothing to Codex",
    "codex",
    'out[clr: "• 1 monitor still running" / "  ⏸ manual mode on · 1 monitor · ← for agents" / txt]; poll→IDLE'
  ),
  holds(
    "CH-009",
    "a session at rest with background work",
    "claude",
    "t0=1000; poll→IDLE; out[clr: txt / MON]; poll→CHURN"
  ),
  holds("CH-010", "and without", "claude", "t0=1000; out[clr: txt / MODE]; poll→IDLE"),
  holds(
    "CH-011",
    "nothing churns after its process",
    "claude",
    "t0=1000; out[clr: txt / MON]; poll→CHURN; poll(dead)→EXIT"
  ),
  holds(
    "CH-012",
    "a turn is a turn, whatever goes on beside it",
    "claude",
    't0=1000; out[clr: txt / MON]; poll→CHURN; in "hi"; in ⏎ ⇒RUN; poll→RUN'
  ),
  {
    id: "CH-013",
    says: "the mode says whether it is ready",
    check: () => assert.deepStrictEqual([readyIn("wait"), readyIn("send")], [false, true])
  },
  holds("CH-014", "the mark on screen", "claude", "t0=1000; out[MON]; poll→CHURN"),
  holds(
    "CH-015",
    "a frame that does not tell",
    "claude",
    "t0=1000; out[clr: txt / MON]; poll→CHURN; out[clr: –]; poll→CHURN; out[clr: txt / MON]; poll→CHURN"
  ),
  holds(
    "CH-016",
    "the mark's end",
    "claude",
    "t0=1000; out[clr: txt / MON]; poll→CHURN; out[clr: txt / MODE]; poll→IDLE"
  ),
  holds("CH-017", "not ready unless told", "claude", "t0=1000; ready?→T; out[clr: txt / MON]; poll→CHURN; ready?→F"),
  { id: "CH-018", says: "it waits for nobody", check: () => assert.isTrue(turnOver.has("churning")) },
  {
    id: "CH-019",
    says: "by default messages wait",
    check: () => assert.deepStrictEqual([defaultModes.churn, readyIn(defaultModes.churn)], ["wait", false])
  },
  {
    id: "CH-020",
    says: "they go out when told so from the start",
    check: () =>
      assert.deepStrictEqual(
        [
          readyIn("send"),
          play(
            [
              [1, own("rest")],
              [1, frame()]
            ],
            30,
            { modes: { ...defaultModes, churn: "send" } }
          ).view.ready
        ],
        [true, true]
      )
  },
  {
    id: "CH-021",
    says: "they wait while it goes on",
    check: () =>
      assert.isFalse(
        readyIn("wait", [
          ...left,
          [12, started()],
          [12, own("work")],
          [12, working({ background: 1 })],
          [15, ended(["t1"])],
          [15, own("rest", { background: true })],
          [15, frame({ background: 1 })]
        ])
      )
  },
  {
    id: "CH-022",
    says: "the mode can be set at any time",
    check: () =>
      assert.isTrue(
        readyIn("wait", [...left, [20, { _tag: "ModesChanged", modes: { ...defaultModes, churn: "send" } }]])
      )
  }
]
