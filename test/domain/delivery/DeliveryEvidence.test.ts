import { assert, describe, it } from "@effect/vitest"
import { noEvidence, observe } from "../../../src/domain/delivery/DeliveryEvidence.ts"
import type { SessionEvent } from "../../../src/domain/session/SessionEvent.ts"
import type { StatusReport } from "../../../src/domain/session/ProgramStatus.ts"
import { Signal } from "../../../src/domain/session/Signal.ts"
import * as Tracker from "../../../src/domain/tracker/Tracker.ts"
import { defaultModes } from "../../../src/domain/session/Session.ts"

const { view } = Tracker.start(0, defaultModes)
const { cases } = Signal
const failed = cases.TurnFailed.make({ problem: null, message: "overloaded" })

/** What is known of a failure after these signals; one in brackets is a subagent's. */
const failureAfter = (...signals: ReadonlyArray<Signal | readonly [Signal]>) =>
  signals.reduce(
    (evidence, given, i) => {
      const signal = "_tag" in given ? given : given[0]
      const event: SessionEvent = { _tag: "Signaled", at: 10 * (i + 1), signal, source: "hook" }
      return observe(evidence, event, view, "_tag" in given)
    },
    noEvidence(0, view)
  ).failure?.message ?? null

describe("a turn that the CLI reports as failed", () => {
  it.each([
    ["counts", [failed], "overloaded"],
    ["is a subagent's", [[failed]], null],
    ["goes on with a tool", [failed, cases.ToolStarted.make({ tool: "x", id: null, agent: null })], null],
    ["comes to its end after all", [failed, cases.TurnEnded.make({ response: null, background: null })], null],
    ["follows one that ended", [cases.TurnEnded.make({ response: null, background: null }), failed], "overloaded"]
  ] as const)("%s", (_, signals, failure) => {
    assert.strictEqual(failureAfter(...signals), failure)
  })

  const report = (state: StatusReport["state"], message: string | null = null, id = ""): SessionEvent => ({
    _tag: "Reported",
    at: 10,
    report: { state, id, message, kind: null, progress: null, app: null, title: null }
  })
  const hook: SessionEvent = { _tag: "Signaled", at: 20, signal: failed, source: "hook" }
  it.each([
    ["without a word", [report("error")], "the CLI reported an error"],
    ["with its own words", [report("error", "no credit")], "no credit"],
    ["before its hook says why", [report("error"), hook], "overloaded"],
    ["behind its hook", [hook, report("error")], "overloaded"],
    ["and tries again", [report("error"), report("working")], null],
    ["of background work alone", [report("error", null, "task")], null]
  ] as const)("by its program status, %s", (_, events, failure) => {
    const last = events.reduce((evidence, event) => observe(evidence, event, view), noEvidence(0, view))
    assert.strictEqual(last.failure?.message ?? null, failure)
  })
})
