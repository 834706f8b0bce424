import { assert, describe, it } from "@effect/vitest"
import { isPrompt, noEvidence, observe } from "../../../src/domain/delivery/DeliveryEvidence.ts"
import {
  isOnlyStart,
  isOthersFailure,
  isSuperseded,
  isEndUnknown,
  reportedEnd,
  type TurnOf
} from "../../../src/domain/delivery/ReportedTurns.ts"
import type { KeyKind, SessionEvent } from "../../../src/domain/session/SessionEvent.ts"
import type { StatusReport } from "../../../src/domain/session/ProgramStatus.ts"
import { Signal } from "../../../src/domain/session/Signal.ts"
import * as Tracker from "../../../src/domain/tracker/Tracker.ts"
import { defaultModes } from "../../../src/domain/session/Session.ts"

const running = { ...Tracker.start(0, defaultModes).view, state: "running" as const }
const { cases } = Signal
const signaled = (signal: Signal): SessionEvent => ({ _tag: "Signaled", at: 10, signal, source: "hook" })
const failed = signaled(cases.TurnFailed.make({ problem: null, message: "overloaded" }))
const ended = signaled(cases.TurnEnded.make({ response: null, background: null }))
const tool = signaled(cases.ToolStarted.make({ tool: "x", id: null, agent: null }))
const began = (own = false) => signaled(cases.TurnStarted.make({ prompt: "p", own }))
const report = (state: StatusReport["state"], message: string | null = null, id = ""): SessionEvent => ({
  _tag: "Reported",
  at: 10,
  report: { state, id, message, kind: null, progress: null, app: null, title: null }
})
const rests = signaled(
  cases.OwnStatus.make({ phase: "rest", waitingFor: null, background: false, word: "idle", sessionId: null })
)
const pressed = (...keys: ReadonlyArray<KeyKind>): SessionEvent => ({ _tag: "Input", at: 10, keys, by: "user" })

/** What is reported after these events; one in brackets is a subagent's. */
type Events = ReadonlyArray<SessionEvent | readonly [SessionEvent]>
const after = (...events: Events) =>
  events.reduce(
    (evidence, event) =>
      "_tag" in event ? observe(evidence, event, running) : observe(evidence, event[0], running, false),
    noEvidence(0, running)
  ).turns

/** A message that was sent first of all, and of which nothing was reported. */
const turn: TurnOf = { attemptSeq: 0, enterSeq: 0, ahead: false, reported: null, joined: false, behind: null }
const endAfter = (of: Partial<TurnOf>, ...events: Events) => {
  const end = reportedEnd(after(...events), { ...turn, ...of }, true)
  return end === null ? "unreported" : (end.failure ?? "ended")
}

describe("the end of a turn that the CLI tells", () => {
  it.each([
    ["counts", [failed], "overloaded"],
    ["is a subagent's", [[failed]], "unreported"],
    ["goes on with a tool", [failed, tool], "unreported"],
    ["comes to its end after all", [failed, ended], "ended"],
    ["is closed like any other, behind the CLI's rest", [failed, rests, ended], "overloaded"],
    ["follows one that ended", [ended, failed], "overloaded"],
    ["without a word", [report("working"), report("error")], "the CLI reported an error"],
    ["with its own words", [report("working"), report("error", "no credit")], "no credit"],
    ["before its hook says why", [report("working"), report("error"), failed], "overloaded"],
    ["behind its hook", [report("working"), failed, report("error")], "overloaded"],
    ["as an error, behind an end", [report("working"), ended, report("error")], "the CLI reported an error"],
    ["and tries again", [report("working"), report("error"), report("working")], "unreported"],
    ["of background work alone", [report("working"), report("error", null, "task")], "unreported"],
    ["with a key that withdraws it", [report("working"), report("done"), report("idle")], "ended"]
  ] as const)("of a CLI that tells no beginnings: %s", (_, events, end) => {
    assert.strictEqual(endAfter({}, ...events), end)
  })

  it.each([
    ["that began with it", { reported: 1 }, [began(), failed], "overloaded"],
    ["that failed, and is only closed", { reported: 1 }, [began(), failed, ended], "overloaded"],
    ["that failed, went on, and came to its end", { reported: 1 }, [began(), failed, tool, ended], "ended"],
    [
      "that had begun before it, and whose end comes late",
      { attemptSeq: 1, enterSeq: 1 },
      [began(), failed],
      "unreported"
    ],
    ["that was over before it", { attemptSeq: 2, enterSeq: 2 }, [began(), ended, failed], "overloaded"],
    ["of another prompt", { reported: 1 }, [began(), began(), failed], "unreported"],
    ["of two prompts in one", { reported: 1, joined: true }, [began(), began(), ended], "ended"],
    ["of two prompts in one, not yet over", { reported: 2, joined: true }, [ended, began(), began()], "unreported"],
    ["of another, while a turn ran", { ahead: true }, [failed], "unreported"],
    ["that ran when it was sent, and took it in", { ahead: true, behind: 1 }, [ended], "ended"],
    ["that ran when it was sent, and was closed", { ahead: true, behind: 1 }, [failed, rests, ended], "unreported"],
    ["behind the one that ran when it was sent", { ahead: true, behind: 1 }, [ended, failed], "overloaded"],
    [
      "by an error, where the user has sent more",
      {},
      [report("working"), pressed("text", "enter"), report("error")],
      "unreported"
    ],
    [
      "by an error, of the second run",
      {},
      [report("working"), report("done"), report("working"), report("error")],
      "unreported"
    ]
  ] as const)("is this message's, or not: that of a turn %s", (_, of, events, end) => {
    assert.strictEqual(endAfter(of, ...events), end)
  })

  it("began with it, whatever the prompt looks like, where nothing else was sent and nothing else may come late", () => {
    const own = { ...turn, attemptSeq: 2, enterSeq: 2 }
    assert.isTrue(isOnlyStart(after(began(), ended, began()), own, true))
    assert.isFalse(isOnlyStart(after(began()), turn, true))
    assert.isFalse(isOnlyStart(after(began(), pressed("enter"), ended, began()), { ...own, enterSeq: 3 }, true))
    assert.isFalse(isOnlyStart(after(began(), ended, began()), own, false))
    assert.isFalse(isOnlyStart(after(began(), rests, began()), own, true))
    assert.isFalse(isOnlyStart(after(began(), ended, began(true)), own, true))
    assert.isFalse(isOnlyStart(after(began(), ended, pressed("enter"), began()), own, true))
    assert.isFalse(isOnlyStart(after(began(), ended, began()), { ...own, ahead: true }, true))
  })

  it("is final once another turn's beginning is told, and never one that was not told", () => {
    const own = { ...turn, reported: 1 }
    assert.isTrue(isSuperseded(after(began(), failed, began()), own))
    assert.isFalse(isSuperseded(after(began(), failed), own))
    assert.isFalse(isSuperseded(after(began(), began()), own))
  })

  it("is not the session's rest, where hooks tell or others were sent", () => {
    assert.isFalse(isEndUnknown(after(report("working")), turn, true))
    assert.isTrue(isEndUnknown(after(began()), { ...turn, reported: 1 }, true))
    assert.isTrue(isEndUnknown(after(report("working")), turn, false))
    assert.isTrue(isEndUnknown(after(pressed("text", "enter")), turn, true))
    assert.isTrue(isOthersFailure(after(began(), failed), { ...turn, attemptSeq: 1 }))
    assert.isFalse(isOthersFailure(after(began(), failed), { ...turn, reported: 1 }))
  })
})

describe("the last sign that a turn began", () => {
  const works = signaled(
    cases.OwnStatus.make({ phase: "work", waitingFor: null, background: false, word: "busy", sessionId: null })
  )
  const signOf = (...events: ReadonlyArray<SessionEvent>) =>
    events.reduce((evidence, event) => observe(evidence, event, running), noEvidence(0, running)).workSeq

  it.each([
    ["program status", report("working"), report("done")],
    ["its status file", works, rests]
  ] as const)("by %s is its going over to work, and not that it goes on", (_, work, rest) => {
    assert.strictEqual(signOf(work, work), 1)
    assert.strictEqual(signOf(work, rest, work), 3)
  })
})

describe("a prompt that a CLI reports", () => {
  it.each([
    ["with other blanks", "do  this\nnow ", "do this now", true],
    ["with a long text in it", "first of all do this, then rest", "do this, then", true],
    ["with a short text in it", "please say yes to it", "yes", false],
    ["of less than the text", "do this", "do this, then", false]
  ] as const)("%s", (_, prompt, text, isSame) => {
    assert.strictEqual(isPrompt(prompt, text), isSame)
  })
})
