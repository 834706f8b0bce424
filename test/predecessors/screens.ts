import { assert } from "@effect/vitest"
import { SessionState, turnOver } from "../../src/domain/words/session/Session.ts"
import { holds, partly } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"
import { defaultModes } from "../../src/domain/words/session/Session.ts"
import { dialog, frame, own, play, type Trace, working } from "../support/session/trace.ts"

/** What is on screen: gates of the start, old interrupt lines, resizes, dialogs that come and go. */

const resting: Trace = [
  [1, own("rest")],
  [1, frame()]
]
const inStates: ReadonlyArray<readonly [string, Trace, boolean]> = [
  ["idle", resting, true],
  ["running", [...resting, [10, own("work")], [10, working()]], false],
  ["needs_permission", [...resting, [10, own("wait", { waitingFor: "permission" })], [10, dialog()]], false],
  [
    "needs_input",
    [...resting, [10, own("wait", { waitingFor: "question" })], [10, dialog({ kind: "question" })]],
    false
  ],
  [
    "interrupted",
    [
      ...resting,
      [10, own("work")],
      [10, working()],
      [11, { _tag: "Input", keys: ["escape"], by: "user" }],
      [11.2, own("rest")],
      [11.2, frame({ interrupted: true })]
    ],
    false
  ]
]

/** What is ready in each state. */
const readiness = (autoSend: "pause" | "always") => () => {
  for (const [state, trace, ready] of inStates) {
    const { view } = play(trace, 30, { modes: { ...defaultModes, autoSend } })
    assert.deepStrictEqual([view.state, view.ready], [state, ready])
  }
}

export const listed: ReadonlyArray<ListedRows> = [
  {
    ids: ["ST-113", "ST-114"],
    why: "there is no signal file to remove at the end: hooks write into a spool that belongs to the host"
  }
]

export const rows: ReadonlyArray<ScenarioRow> = [
  holds("ST-087", "trust is asked for at the start", "claude", "out[clr: TRUST] ⇒PERM", { cold: true }),
  holds(
    "ST-088",
    "and answered: the prompt comes up",
    "claude",
    "out[clr: TRUST] ⇒PERM; send ⇒RUN; in ⏎; @1; out[clr: txt]; +5s; poll→IDLE",
    { cold: true }
  ),
  holds(
    "ST-089",
    "its sentence in prose asks nothing",
    "claude",
    'in "x"; out[clr: "● The dialog says:" / "  ❯ 1. Yes, I trust this folder" / "    2. No, exit" / >]; =IDLE'
  ),
  holds(
    "ST-090",
    "a menu quoted in a resumed conversation asks nothing",
    "claude",
    "out[clr: txt×2 / ❯1. / opt / txt×3 / HR / ❯row]; =IDLE",
    { cold: true }
  ),
  holds(
    "ST-091",
    "a menu at the start that is no quotation asks",
    "claude",
    '[#1]; out[clr: txt×2 / ❯1. / opt] ⇒PERM; [#2]; out[clr: " Select login method:" / "" / " ❯ 1. Claude account with subscription · Pro, Max, Team, or Enterprise" / "   2. Anthropic Console account · API usage billing"] ⇒INPUT',
    { cold: true }
  ),
  holds(
    "ST-092",
    "an interrupt line of the last turn interrupts nothing in the next",
    "claude",
    "send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; sig=IDLE; poll→INTR; send ⇒RUN; sig=IDLE; poll→IDLE"
  ),
  holds(
    "ST-093",
    "a turn that nothing stopped before can be stopped",
    "claude",
    "send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR"
  ),
  holds(
    "ST-094",
    "once it is gone, a new one counts",
    "claude",
    'in "x"; send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; sig=IDLE; poll→INTR; send ⇒RUN; sig=IDLE; poll→IDLE; out[clr: txt]; send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR'
  ),
  { id: "ST-107", says: "only rest is ready", check: readiness("pause") },
  { id: "ST-108", says: "whatever is allowed by itself", check: readiness("always") },
  holds(
    "ST-109",
    "a resize is followed",
    "claude",
    "resize 30x100; out[c+ clr: txt]; poll→IDLE; resize 50x160; poll→IDLE; ready?→T"
  ),
  holds("ST-110", "a resize at rest is no work", "claude", 'in "x"; resize 30x100; out[c+ clr: txt]; =IDLE'),
  {
    id: "ST-111",
    says: "what the dialog asks is told, also from a screen that is drawn again in part",
    check: () => {
      const asks: Trace = [
        ...resting,
        [10, own("wait", { waitingFor: "permission" })],
        [10, dialog({ title: "Do you want to proceed?" })]
      ]
      assert.strictEqual(play(asks, 12).view.message, "Do you want to proceed?")
      assert.strictEqual(
        play([...asks, [12, { _tag: "Output", screen: null }]], 12.1).view.message,
        "Do you want to proceed?"
      )
    }
  },
  { id: "ST-112", says: "at rest nothing is", check: () => assert.isNull(play(resting, 30).view.message) },
  partly(
    "ST-115",
    "nothing outlives the process",
    "claude",
    'in "x"; send ⇒RUN; in Esc; poll(dead)→EXIT; ready?→F; sig=IDLE; out[clr: txt]; poll→EXIT',
    "the end has a state of its own, 'exited', and nothing follows it"
  ),
  partly(
    "ST-116",
    "and it ends once",
    "claude",
    "send ⇒RUN; poll(dead)→EXIT; poll(dead)→EXIT; =EXIT",
    "the end has a state of its own, 'exited', in which nothing is ready"
  ),
  holds(
    "ST-117",
    "Escape in a permission dialog stops the turn",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM; in Esc; out[clr: INTRWORD] ⇒INTR"
  ),
  holds("ST-118", "a dialog with its keys is one", "claude", "out[clr: FOOT]; arrows→CLI; poll→PERM"),
  holds(
    "ST-119",
    "a numbered menu is one",
    "claude",
    '[#1]; out[clr: ❯1. / opt]; arrows→CLI; poll→PERM; [#2]; out[clr: " Do you want to proceed?" / " › 1. Yes" / "   2. No"]; arrows→CLI; poll→PERM'
  ),
  holds("ST-120", "prose is none", "claude", "out[clr: txt×3]; arrows→recall; poll→IDLE"),
  holds("ST-121", "nor is prose with the name of a key", "claude", "out[clr: EscCan~long]; arrows→recall; poll→IDLE"),
  holds("ST-122", "a numbered menu needs no hook", "claude", "send ⇒RUN; out[clr: ❯1. / opt×2]; poll→PERM"),
  holds(
    "ST-123",
    "nor does a dialog; the name of one key is none",
    "claude",
    "[#1]; send ⇒RUN; out[clr: FOOT]; poll→PERM; [#2]; send ⇒RUN; out[clr: EscCan]; sig=IDLE; poll→IDLE"
  ),
  {
    id: "ST-124",
    says: "states are words",
    check: () =>
      assert.includeMembers(
        [...SessionState.literals],
        ["idle", "running", "needs_permission", "needs_input", "interrupted", "churning"]
      )
  },
  {
    id: "ST-125",
    says: "a state that waits for the user is no end of a turn, but an interrupt is",
    check: () =>
      assert.deepStrictEqual(
        ["needs_permission", "needs_input", "interrupted", "idle"].map((state) => turnOver.has(state as SessionState)),
        [false, false, true, true]
      )
  },
  holds(
    "ST-126",
    "the older word for a question",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig='has_question'; poll→INPUT"
  ),
  holds("ST-127", "Enter at Codex's prompt begins a turn", "codex", 'in "hi"; in ⏎ ⇒RUN'),
  holds("ST-128", "and silence ends it", "codex", "send ⇒RUN; @1; out[txt]; @10; poll→IDLE"),
  holds(
    "ST-131",
    "a command that no hook tells of comes to rest",
    "claude",
    'in "x"; in "/clear" one byte at a time; in ⏎; ready?→F; @0.5; out[c+ clr: txt]; @6.5; poll→IDLE'
  ),
  holds("ST-132", "a prompt ends with its hook", "claude", 'in "x"; in ⏎ ⇒RUN; sig=IDLE; poll→IDLE'),
  holds(
    "ST-133",
    "an old interrupt line and a key at rest",
    "claude",
    'in "x"; send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; send ⇒RUN; sig=IDLE; poll→IDLE; in Esc; @5; out[clr: txt]; =IDLE'
  ),
  holds(
    "ST-134",
    "the end of a turn leaves the screen as it is",
    "claude",
    "send ⇒RUN; out[clr: txt]; sig=IDLE; poll→IDLE; arrows→recall"
  ),
  holds(
    "ST-135",
    "a dialog that stands still is one",
    "claude",
    'in "x"; send ⇒RUN; @0.1; out[c+ clr: ❯1. / opt / EscCan]; @5.2; poll→PERM; @5.7; poll→PERM'
  ),
  holds(
    "ST-136",
    "until the prompt is on screen instead",
    "claude",
    'in "x"; send ⇒RUN; @0.1; out[c+ clr: ❯1. / opt / EscCan]; @5.2; poll→PERM; @5.5; out[clr: txt / HR / ❯row / HR / txt]; @10.6; poll→IDLE'
  ),
  holds(
    "ST-137",
    "a dialog of which only a part can be read, without the prompt",
    "claude",
    'in "x"; send ⇒RUN; @1; out[c+ clr: FOOT]; @1.5; sig=PERM; poll→PERM; @2; out[c+ clr: " Do you want to"]; @8; poll→PERM'
  )
]
