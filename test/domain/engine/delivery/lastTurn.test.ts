import { assert, describe, it } from "@effect/vitest"
import { noEvidence, observe } from "../../../../src/domain/engine/delivery/DeliveryEvidence.ts"
import { lastTurn } from "../../../../src/domain/engine/delivery/lastTurn.ts"
import type { StatusReport } from "../../../../src/domain/words/session/ProgramStatus.ts"
import type { SessionEvent } from "../../../../src/domain/words/session/SessionEvent.ts"
import type { SessionState, View } from "../../../../src/domain/words/session/Session.ts"
import { Signal } from "../../../../src/domain/words/session/Signal.ts"

const view = (state: SessionState): View => ({
  state,
  ready: false,
  dialog: false,
  reason: { _tag: "BoxShown" },
  since: 0,
  message: null,
  problem: null,
  background: [],
  changesAt: null,
  notReady: null
})
const signal = (value: Signal): SessionEvent => ({ _tag: "Signal", at: 1, source: "hook", signal: value })
const report = (state: StatusReport["state"], message: string | null = null): SessionEvent => ({
  _tag: "Reported",
  at: 1,
  report: { state, id: "", kind: null, progress: null, app: null, title: null, message }
})
const start = signal(Signal.cases.TurnStarted.make({ prompt: "do it", own: false }))
const end = signal(Signal.cases.TurnEnded.make({ response: null, background: null }))
const failed = signal(Signal.cases.TurnFailed.make({ problem: null, message: "no" }))
const tool = signal(Signal.cases.ToolStarted.make({ tool: "Bash", id: null, agent: null }))
const failure = { outcome: "failed", why: "no" } as const
const completion = { outcome: "completed", why: null } as const
const interruption = { outcome: "interrupted", why: null } as const

describe("how a session's last turn ended", () => {
  for (const [what, events, state, expected] of [
    ["nothing where nothing was told", [], "idle", null],
    ["by its end", [start, end], "idle", completion],
    ["by its failure", [start, failed], "idle", failure],
    ["by nothing while one runs", [start, failed], "running", null],
    ["not by the turn before it", [start, failed, start], "idle", null],
    ["by its failure, where the interrupt key came behind it", [start, failed], "interrupted", failure],
    ["by an interrupt", [start], "interrupted", interruption],
    ["by an interrupt, where the CLI closes its turn all the same", [start, end], "interrupted", interruption],
    ["by a failure whose beginning was not told", [tool, failed], "idle", failure],
    ["not by an end without one, where there was work since", [end, tool], "idle", null],
    ["by the program status alone", [report("working"), report("done")], "idle", completion],
    ["by the error that it tells", [report("working"), report("error", "no")], "idle", failure],
    ["not by what it told before the turn began", [report("working"), report("error", "no"), start], "idle", null],
    ["not by what it told before it went to work again", [report("error", "no"), report("working")], "idle", null],
    ["not by a hook, while it says that work goes on", [report("working"), start, end], "idle", null],
    ["by its error behind the hook's end", [start, report("working"), end, report("error", "no")], "idle", failure],
    ["by the hook that says why", [start, report("working"), report("error", "?"), failed], "idle", failure]
  ] as const)
    it(`is known ${what}`, () => {
      const evidence = [...events].reduce(
        (known, event) => observe(known, event, view("running")),
        noEvidence(0, view("idle"))
      )
      assert.deepStrictEqual(lastTurn({ ...evidence, view: view(state) }), expected)
    })
})
