import { assert, describe, it } from "@effect/vitest"
import { isPrompt, mayBePrompt, noEvidence, observe } from "../../../../src/domain/engine/delivery/DeliveryEvidence.ts"
import {
  isOnlyStart,
  isOthersFailure,
  isSuperseded,
  isEndUnknown,
  reportedEnd,
  type TurnOf
} from "../../../../src/domain/engine/delivery/TurnEnds.ts"
import type { KeyKind, SessionEvent } from "../../../../src/domain/words/session/SessionEvent.ts"
import type { StatusReport } from "../../../../src/domain/words/session/ProgramStatus.ts"
import { Signal } from "../../../../src/domain/words/session/Signal.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { blankFacts } from "../../../../src/domain/words/session/Screen.ts"
import { defaultModes, type View } from "../../../../src/domain/words/session/Session.ts"

const running = { ...Tracker.start(0, defaultModes).view, state: "running" as const }
const { cases } = Signal
const signaled = (signal: Signal): SessionEvent => ({ _tag: "Signal", at: 10, signal, source: "hook" })
const failed = signaled(cases.TurnFailed.make({ problem: null, message: "overloaded", ends: true }))
/** The failure of a CLI that closes it by an end. */
const failedOpen = signaled(cases.TurnFailed.make({ problem: null, message: "overloaded" }))
const ended = signaled(cases.TurnEnded.make({ response: null, background: null }))
const tool = signaled(cases.ToolStarted.make({ tool: "x", id: null, agent: null }))
const began = (own = false) => signaled(cases.TurnStarted.make({ prompt: "p", own }))
const report = (state: StatusReport["state"], message: string | null = null, id = ""): SessionEvent => ({
  _tag: "Reported",
  at: 10,
  report: { state, id, message, kind: null, progress: null, app: null, title: null }
})
const failedAt = (at: number) => signaled(cases.TurnFailed.make({ problem: null, message: "overloaded", at }))
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
const turn: TurnOf = {
  attemptSeq: 0,
  enterSeq: 0,
  enteredAt: 0,
  ahead: false,
  untold: false,
  reported: null,
  joined: false,
  behind: null
}
const endAfter = (of: Partial<TurnOf>, ...events: Events) => {
  const end = reportedEnd(after(...events), { ...turn, ...of }, true)
  return end === null ? "unreported" : (end.failure ?? "ended")
}

describe("a turn with which the CLI goes on after a limit", () => {
  const goesOn = signaled(cases.TurnStarted.make({ prompt: "continue", own: true, afterLimit: true }))
  it.each<readonly [what: string, events: Events, isOver: boolean]>([
    ["has begun", [goesOn], false],
    ["has ended", [goesOn, ended], true],
    ["has failed", [goesOn, failed], false],
    ["has ended, and another has failed", [goesOn, ended, began(), failed], false],
    ["has not been told, but an end whose beginning nobody told", [ended], false],
    ["has not been told, but a turn of the user's", [began(), ended], false]
  ])("%s", (_, events, isOver) => {
    assert.strictEqual(after(...events).afterLimit.ended, isOver)
  })
})

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
    ["that is the first of two to end", { reported: 1 }, [began(), began(), failed], "overloaded"],
    ["that is the second of two to end", { reported: 2 }, [began(), began(), failed], "unreported"],
    ["that is told second, of two", { reported: 2 }, [began(), began(), failed, tool, ended], "ended"],
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

  it.each([
    ["recorded before its Enter", { enteredAt: 8 }, [failedAt(7)], "unreported"],
    [
      "recorded before its Enter, though it has begun",
      { reported: 1, enteredAt: 8 },
      [began(), failedAt(7)],
      "unreported"
    ],
    ["recorded at its Enter", { enteredAt: 8 }, [failedAt(8)], "overloaded"],
    [
      "told first, where the user's prompt before it has told nothing",
      { attemptSeq: 2, enterSeq: 2, untold: true },
      [began(), ended, failed],
      "unreported"
    ],
    [
      "told behind that prompt's end",
      { attemptSeq: 2, enterSeq: 2, untold: true, behind: 3 },
      [began(), ended, ended, failed],
      "overloaded"
    ]
  ] as const)("is not taken for this message's, where it may be another's: a failure %s", (_, of, events, end) => {
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

describe("an Enter that may have begun a turn", () => {
  const idle = { ...running, state: "idle" as const }
  const enters = (view: View, ...events: ReadonlyArray<SessionEvent>) =>
    events.reduce((evidence, event) => observe(evidence, event, view), noEvidence(0, view)).entered.length
  const shows = (working: boolean): SessionEvent => ({ _tag: "Output", at: 10, screen: { ...blankFacts, working } })

  it("is one with no turn running, or with no work shown any more", () => {
    assert.strictEqual(enters(idle, pressed("enter")), 1)
    assert.strictEqual(enters(running, pressed("enter")), 0)
    assert.strictEqual(enters(running, shows(true), pressed("enter")), 0)
    assert.strictEqual(enters(running, shows(true), shows(false), pressed("enter")), 1)
    assert.strictEqual(enters(running, shows(true), shows(false), shows(true), pressed("enter")), 0)
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

describe("the end of the turn before, behind which a prompt's beginning is told", () => {
  const idle = { ...running, state: "idle" as const }
  /** Two prompts' beginnings, then one end, and rest for so long before a third prompt's beginning. */
  const third = (rest: number, ...ends: ReadonlyArray<SessionEvent>) => {
    const begun = [began(), began()].reduce((e, event) => observe(e, event, running), noEvidence(0, running))
    const over = ends.reduce((e, event) => observe(e, event, idle), begun)
    const rested = observe(over, { _tag: "Tick", at: 10 + rest }, idle)
    return observe(rested, { ...began(), at: 10 + rest }, running).turns.owed.length > 1
  }
  it.each([
    ["one end of two is told, and nothing rests for long", 500, [ended], true],
    ["one end of two is told, for as long as a CLI needs for the next turn", 2_999, [failed], true],
    ["one end is told of two that were one turn", 3_000, [ended], false],
    ["both ends are told", 500, [ended, failed], false]
  ] as const)("is still to come where %s", (_, rest, ends, isDue) => {
    assert.strictEqual(third(rest, ...ends), isDue)
  })

  /** A turn, of which no end is told, and rest for so long before the next prompt's beginning. */
  const second = (rest: number, work: ReadonlyArray<SessionEvent>) => {
    const begun = observe(noEvidence(0, idle), began(), idle)
    const worked = work.reduce((e, event) => observe(e, event, running), begun)
    const over = observe(worked, { _tag: "Tick", at: 10 }, idle)
    const rested = observe(over, { _tag: "Tick", at: 10 + rest }, idle)
    return observe(rested, { ...began(), at: 10 + rest }, running).turns.owed
  }
  it.each([
    ["it has rested behind work", 400, [tool], [5]],
    ["it has rested for a moment behind work, as between two turns", 399, [tool], [1, 5]],
    ["it was not seen to work: it may not have begun", 2_999, [], [1, 4]],
    ["it has rested for long without having been seen to work", 3_000, [], [4]]
  ] as const)("is to come, or not, where %s", (_, rest, work, owed) => {
    assert.deepStrictEqual(second(rest, work), owed)
  })
})

const owedAfter = (...events: Events) => after(...events).owed

describe("the end that a turn is owed", () => {
  const goesOn = signaled(cases.TurnStarted.make({ prompt: null, own: true, goesOn: true }))
  it.each([
    ["is owed again where it failed and goes on", [began(), failed, tool], [1]],
    ["is owed again where it goes on behind an end that was told", [began(), ended, goesOn], [1]],
    ["is owed again before those of what was typed ahead", [began(), began(), ended, goesOn], [1, 2]],
    ["is that of background work within it, too", [began(), began(true), ended], []],
    ["is not the next one's", [began(), began(), failed, tool], [2]]
  ] as const)("%s", (_, events, owed) => {
    assert.deepStrictEqual(owedAfter(...events), owed)
  })
})

describe("an end that is told twice", () => {
  it.each([
    ["is one, where no other is owed one", [began(), failed, failed, began()], [4]],
    ["is one of two turns, of a CLI that tells no end twice", [began(), ended, began(), began(), failed, failed], []],
    ["is one, of a CLI that has told one twice", [began(), ended, ended, began(), began(), failed, failed], [5]],
    ["is one, of a CLI of which nothing is known yet", [began(), began(), failed, failed], [2]],
    ["closes a failure but once", [began(), ended, ended, began(), began(), failedOpen, failedOpen, ended, ended], [5]],
    ["closes no failure that was the last word", [began(), ended, began(), began(), failed, ended], []]
  ] as const)("%s", (_, events, owed) => {
    assert.deepStrictEqual(owedAfter(...events), owed)
  })
})

describe("a turn that background work begins", () => {
  it.each([
    ["is a part of the one before, which has not ended", [began(), began(true)], true],
    ["is its own where the session has rested since", [began(), rests, began(true)], false],
    ["is no part where a prompt began it", [began(), began()], false]
  ] as const)("%s", (_, events, isPart) => {
    assert.strictEqual(after(...events).start.within, isPart)
  })
})

describe("a failure that the CLI records with its time", () => {
  const told = { S: began(), O: began(true), E: ended }
  /** What is told when: a turn's beginning (S; O of background work), an end (E), or a failure by when it happened. */
  type Told = readonly [at: number, what: keyof typeof told | number]
  it.each<readonly [string, ReadonlyArray<Told>, of: number, owed: ReadonlyArray<number>]>([
    [
      "is of the turn whose end was told just before",
      [
        [0, "S"],
        [9, "E"],
        [700, 40]
      ],
      1,
      []
    ],
    [
      "is of that turn, though another has begun since",
      [
        [0, "S"],
        [9, "E"],
        [60, "S"],
        [700, 35]
      ],
      1,
      [3]
    ],
    [
      "is another's, which began behind that end",
      [
        [0, "S"],
        [9, "E"],
        [700, 600]
      ],
      3,
      []
    ],
    [
      "is of the first that had no end by then",
      [
        [0, "S"],
        [9, "E"],
        [60, "S"],
        [700, 300]
      ],
      3,
      []
    ],
    [
      "is another, of the same words",
      [
        [0, "S"],
        [1, "S"],
        [2, 1],
        [3, 3]
      ],
      2,
      []
    ],
    [
      "is the same, told twice",
      [
        [0, "S"],
        [1, "S"],
        [2, 1],
        [3, 1]
      ],
      1,
      [2]
    ],
    [
      "is closed by the next end",
      [
        [0, "S"],
        [1, "S"],
        [700, 500],
        [710, "E"]
      ],
      1,
      [2]
    ],
    [
      "parts background work from the turn before it",
      [
        [0, "S"],
        [90, "O"],
        [700, 50]
      ],
      1,
      [2]
    ],
    [
      "leaves background work within the turn",
      [
        [0, "S"],
        [90, "O"],
        [700, 100]
      ],
      1,
      []
    ],
    [
      "is of a turn still to be told, told first",
      [
        [0, "S"],
        [9, "E"],
        [700, 600],
        [710, "S"]
      ],
      4,
      []
    ],
    [
      "is one of two that are told first",
      [
        [0, "S"],
        [9, "E"],
        [700, 600],
        [800, 790],
        [810, "S"]
      ],
      5,
      []
    ]
  ])("%s", (_, events, of, owed) => {
    const turns = after(
      ...events.map(([at, what]) => ({ ...(typeof what === "number" ? failedAt(what) : told[what]), at }))
    )
    assert.deepStrictEqual([turns.end?.of, turns.end?.failure, turns.owed], [of, "overloaded", owed])
  })

  it("takes nothing back of what was told of another turn's own end", () => {
    const [early, late] = [began(), began()].map((event, n) => ({ ...event, at: n * 100 }))
    const ends = [9, 150].map((at) => ({ ...ended, at }))
    const turns = after(early!, ends[0]!, late!, ends[1]!, { ...failedAt(5), at: 700 })
    const own = (reported: number) => reportedEnd(turns, { ...turn, attemptSeq: reported - 1, reported }, true)
    assert.deepStrictEqual([own(1)?.failure, own(3)?.failure], ["overloaded", null])
  })
})

describe("a prompt that a CLI reports in other words", () => {
  it.each([
    ["with a file put in", "look at <file>a.ts</file> and mend it", "look at @a.ts and mend it", true],
    ["of another subject", "continue", "mend the test", false],
    ["that shares half of its words", "message b", "message a", false]
  ])("%s", (_, prompt, text, may) => {
    assert.strictEqual(mayBePrompt(prompt, text), may)
  })
})
