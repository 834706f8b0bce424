import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { codexDetection } from "../../src/domain/providers/codex/Detection.ts"
import { copilotDetection } from "../../src/domain/providers/copilot/Detection.ts"
import { playOn, recordedView, redraw } from "./support/recordedScene.ts"
import { is, keys, play, type Scene, show } from "./support/replayScene.ts"
import type { ScenarioRow } from "./support/scenarioTable.ts"

/** Cursor Agent's prompt; no recording of it is at hand, so these screens are hand-made. */
const cursor = (above: ReadonlyArray<string>, row = "  → ") => [
  ...above,
  "",
  ` ${"▄".repeat(78)}`,
  row,
  ` ${"▀".repeat(78)}`,
  "  Composer 2 Fast · 3.9%",
  "  ~/app · main"
]
const cursorTurn: Scene = [
  [0.5, show(cursor(["  Hello."]))],
  [9, is("idle")],
  [10, keys("fix it")],
  [10.1, show(cursor(["  Hello."], "  → fix it"))],
  [10.2, keys("\r")],
  [10.4, show(cursor(["  fix it", "", " ⠠⠛ Running  43 tokens"], `  → ${"".padEnd(56)}ctrl+c to stop`))],
  [14, is("running")]
]

/** Rows of Codex, Gemini, Copilot and Cursor Agent: on real sessions where there are any. */
export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "X-01",
    says: "a Codex approval left open is never ready",
    check: () =>
      playOn("codex/approve-pending-60s", 10.5, [
        [0.1, is("needs_permission", { ready: false, dialog: true })],
        [8.1, is("needs_permission", { ready: false, dialog: true })],
        [7000, is("needs_permission", { ready: false, dialog: true })]
      ])
  },
  {
    id: "X-07",
    says: "a Gemini dialog that gives way to half a screen is no rest",
    check: () =>
      playOn("gemini/edit-once", 8, [
        [0.1, is("needs_permission", { ready: false })],
        [1, show(["✦ I read the file first."])],
        ...[2, 6.1, 70, 7000].map(
          (second) => [second, is(["needs_permission", "running", "idle"], { ready: false })] as const
        )
      ])
  },
  {
    id: "X-12",
    says: "trust is told apart from a permission, and waited for",
    differs: "nothing answers a dialog for the user yet: approvals and policies are issue 4 (modes and approvals)",
    check: () =>
      Effect.gen(function* () {
        const view = yield* recordedView("copilot/trust-dialog", 12)
        assert.strictEqual(copilotDetection.readScreen(view).dialog?.kind, "trust")
        yield* playOn("copilot/trust-dialog", 12, [
          [0.1, is("needs_permission", { ready: false, dialog: true })],
          [7000, is("needs_permission", { ready: false, dialog: true })]
        ])
      })
  },
  {
    id: "X-14",
    says: "Copilot at rest with unsent text is idle, and not ready",
    check: () =>
      playOn("copilot/compose-idle", 5.5, [
        [0.1, is("idle", { ready: false })],
        [4, is("idle", { ready: false })],
        [7000, is("idle", { ready: false })]
      ])
  },
  {
    id: "X-16",
    says: "Cursor's stop is one by either of its lines",
    differs: "a line with no turn before it is the past of a conversation (a resumed one shows it), not a stop",
    check: () =>
      Effect.gen(function* () {
        for (const line of ["Conversation stopped", "Interrupted. Conversation stopped"]) {
          yield* play("cursor-agent", [
            ...cursorTurn,
            [15, show(cursor(["  fix it", "", `  ${line}`]))],
            [17, is("interrupted", { ready: false })],
            [400, is("interrupted", { ready: false })]
          ])
        }
        yield* play("cursor-agent", [
          ...cursorTurn.slice(0, 2),
          [10, keys("a")],
          [10.1, show(cursor(["  Hello.", "", "  Conversation stopped"], "  → a"))],
          [12, is(["idle", "interrupted"], { ready: false })]
        ])
      })
  },
  {
    id: "X-17",
    says: "an answer of Gemini's that names an option is no dialog",
    check: () =>
      Effect.gen(function* () {
        const prose = yield* redraw("gemini/edit-once", 12, (rows) =>
          rows.map((row) =>
            row.startsWith("✦ The check is in.") ? "✦ Then choose 1. Allow once, or Allow once more." : row
          )
        )
        // at the turn's end, and at rest after a key
        yield* playOn("gemini/edit-once", 12, [
          [0.1, prose],
          [2, is("idle", { dialog: false })],
          [8, is("idle", { dialog: false })]
        ])
        yield* playOn("gemini/edit-once", 14, [
          [0.5, keys("\u001b[A")],
          [0.6, prose],
          [6, is("idle", { dialog: false })]
        ])
      })
  },
  {
    id: "X-18",
    says: "Enter at Copilot's prompt begins a turn and leaves the screen as it is",
    check: () => playOn("copilot/simple-reply", 7.34, [[0.05, is("running", { ready: false, dialog: false })]])
  },
  {
    id: "X-28",
    says: "a completion in Codex's rollout, whatever message it carries, fails no turn and stops none",
    differs:
      "it does not end one either: a turn's end is told by hook, status report and screen, and the rollout only of failures and stops",
    check: () => {
      const completion = (payload: Readonly<Record<string, unknown>>, timestamp?: string) =>
        codexDetection.readTranscript({
          type: "event_msg",
          ...(timestamp === undefined ? {} : { timestamp }),
          payload: { type: "task_complete", ...payload }
        })
      const now = "2026-11-21T08:00:00.000Z"
      assert.deepStrictEqual(
        [
          completion({ last_agent_message: "" }, now),
          completion({ last_agent_message: "  " }, now),
          completion({ last_agent_message: "Done." })
        ],
        [[], [], []]
      )
    }
  }
]
