import { assert, describe, it } from "@effect/vitest"
import { cursorAgentDetection } from "../../../../src/domain/providers/cursor-agent/Detection.ts"
import type { SessionState } from "../../../../src/domain/words/session/Session.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { begin, keys, play, type Step, type Trace, t } from "../../../support/session/trace.ts"

/*
 * HAND-MADE LIVES of a session, on the hand-made screens that CursorScreen.test.ts explains: there is no recording of
 * Cursor Agent.
 */
const bar = (half: string) => ` ${half.repeat(78)}`
const shows = (...lines: ReadonlyArray<string>): Step => ({
  _tag: "Output",
  screen: cursorAgentDetection.readScreen({
    cols: 80,
    rows: 24,
    lines,
    faint: () => "",
    runs: () => [],
    cursor: { x: 0, y: 0, visible: false },
    alternate: false,
    title: "",
    whole: true
  })
})
const prompt = (row: string, above: ReadonlyArray<string> = [], below: ReadonlyArray<string> = []) =>
  shows("  Cursor Agent", "", ...above, bar("▄"), row, bar("▀"), ...below, "  Composer 2 Fast", "  ~/app · main")
const empty = prompt("  → Plan, search, build anything")
const rest = prompt("  → Add a follow-up", ["  Done.", ""])
const works = prompt("  → Add a follow-up                                          ctrl+c to stop", [
  " ⠠⠛ Running  43 tokens"
])
const approval = shows(
  "  $ wc notes.txt Waiting for approval...",
  "",
  " Run this command?",
  " Not in allowlist: wc",
  "  → Run (once) (y)",
  "    Add Shell(wc) to allowlist? (tab)",
  "    Skip & tell the agent what to do instead (esc or n)"
)
const instead = prompt("  → Tell the agent what to do instead (Enter to submit, Esc to cancel)")
const trust = shows(
  " ╭──────────────╮",
  " │ Do you trust the contents of this directory? │",
  " │ ▶ [a] Trust this workspace │",
  " │   [q] Quit │",
  " ╰──────────────╯"
)
const stopped = prompt("  → Add a follow-up", ["  Half a", "", "  Interrupted", ""])
const hook = (event: string, payload: unknown = {}): Step => {
  const [signal] = cursorAgentDetection.readHook(event, payload).slice(-1)
  assert.isDefined(signal)
  return { _tag: "Signal", source: `hook ${event}`, signal }
}

const asks: Trace = [[1, trust], t(3, keys("text")), [3.2, empty]]
const asked: Trace = [...asks, t(8, keys("text")), [8.1, prompt("  → count it")], t(9, keys("enter")), [9.2, works]]
const waits: Trace = [...asked, [12, approval]]

describe("a life of Cursor Agent", () => {
  it.each<readonly [string, Trace, number, SessionState, boolean]>([
    ["it starts", [], 1, "starting", false],
    ["it asks for trust", asks, 2, "needs_permission", false],
    ["its prompt has come up", asks, 3.3, "idle", false],
    ["and stays", asks, 7, "idle", true],
    ["a draft", asked, 8.5, "idle", false],
    ["it works", asked, 9.3, "running", false],
    ["it asks for a command", waits, 13, "needs_permission", false],
    ["and goes on asking", waits, 600, "needs_permission", false],
    ["the command runs", [...waits, t(20, keys("text")), [20.3, works]], 21, "running", false],
    ["the turn is over", [...waits, t(20, keys("text")), [20.3, works], [25, rest]], 25.5, "idle", false],
    ["which only the screen shows", [...waits, t(20, keys("text")), [20.3, works], [25, rest]], 28, "idle", false],
    ["and it rests", [...waits, t(20, keys("text")), [20.3, works], [25, rest]], 41, "idle", true],
    [
      "it is refused, and asks what to do instead",
      [...waits, t(20, keys("text")), [20.2, instead]],
      21,
      "needs_input",
      false
    ],
    ["it is stopped", [...asked, t(12, keys("ctrl-c")), [12.3, stopped]], 14, "interrupted", false],
    ["it is stopped where leap does not see it", [...asked, [12.3, stopped]], 14, "interrupted", false],
    [
      "X-16: it says so of no turn",
      [...asks, t(8, keys("escape")), [8.2, prompt("  → Add a follow-up", ["  Conversation stopped", ""])]],
      12,
      "idle",
      true
    ],
    [
      "a task lives on",
      [...asked, [12, prompt("  → Add a follow-up", ["  Done."], ["  1 task"])]],
      20,
      "churning",
      false
    ],
    [
      "a stop by a hook",
      [...asks, [8, hook("beforeSubmitPrompt")], [8.1, works], [12, hook("stop", { status: "aborted" })], [12.1, rest]],
      15,
      "interrupted",
      false
    ],
    [
      "a failure by a hook",
      [
        ...asks,
        [8, hook("beforeSubmitPrompt")],
        [8.1, works],
        [12, hook("stop", { status: "error", error_message: "401 Unauthorized" })],
        [12.1, rest]
      ],
      20,
      "idle",
      true
    ]
  ])("%s", (_, trace, until, state, ready) => {
    const { view } = play(
      trace.filter(([second]) => second <= until),
      until,
      { tells: cursorAgentDetection.capabilities }
    )
    assert.deepStrictEqual([view.state, view.ready], [state, ready], view.reason._tag)
  })

  it("a limit ends in the CLI's own time zone", () => {
    const track = Tracker.track(cursorAgentDetection)
    // Some minutes past noon in Zurich when it began.
    const start = Tracker.start(begin, defaultModes, "Europe/Zurich")
    const at = (second: number, step: Step) => ({ ...step, at: begin + second * 1000 }) as Parameters<typeof track>[1]
    const failed = [
      at(1, empty),
      at(5, hook("beforeSubmitPrompt")),
      at(6, hook("stop", { status: "error", error_message: "usage limit, resets 3pm" })),
      at(6.1, rest)
    ].reduce(track, start)
    const until = failed.view.problem?.until ?? ""
    assert.match(until, /^2026-11-\d\dT14:00:00\.000Z$/)
  })
})
