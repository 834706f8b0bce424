import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Facts } from "../../../src/domain/engine/tracker/Facts.ts"
import type * as Queue from "../../../src/domain/engine/queue/Queue.ts"
import type { SessionMemory } from "../../../src/domain/engine/machine/SessionMachine.ts"
import type { QueuedMessage } from "../../../src/domain/words/session/Message.ts"
import { because } from "../../../src/domain/words/wording/causeWords.ts"
import type { SessionState } from "../../../src/domain/words/session/Session.ts"
import { turnFailure, turnResponse } from "../../../src/programs/host/turnResponse.ts"
import { noUsageView, type UsageView } from "../../../src/programs/host/sessionStatus.ts"
import { effect } from "../../support/run/effects.ts"

const message = {
  id: "m",
  text: "hi",
  images: [],
  queuedAt: "2026-01-01T00:00:00.000Z",
  status: "done",
  force: false,
  why: null
} as const
const finished: Queue.QueueState = {
  entries: [],
  finished: [{ message, attempts: 0, attempting: false, at: 200, attemptedAt: 100 }]
}

type Known = Pick<Facts, "lastResponse" | "respondedAt" | "toolEndedAt" | "turnFailedAt">
const untold: Known = { lastResponse: null, respondedAt: null, toolEndedAt: null, turnFailedAt: null }

/** A session whose facts a test changes while the answer is waited for. */
const session = (state: SessionState, first: Partial<Known>, used: UsageView = noUsageView) => {
  let facts = { ...untold, ...first }
  const memory = () =>
    ({ tracker: { facts, view: { state } }, delivery: { queue: finished } }) as unknown as SessionMemory
  return {
    learn: (more: Partial<Known>) => void (facts = { ...facts, ...more }),
    answer: turnResponse({ memory, usage: () => used }, "m")
  }
}
const inTranscript = (at: number, lastResponse: string): UsageView => ({
  ...noUsageView,
  responseAt: at,
  usage: { ...noUsageView.usage, lastResponse }
})

describe("the answer to a message whose turn is over", () => {
  const settled: ReadonlyArray<readonly [string, SessionState, Partial<Known>, UsageView, string | null]> = [
    ["was told by a hook", "idle", { lastResponse: "yes", respondedAt: 150 }, noUsageView, "yes"],
    ["stands in the transcript, where no hook tells", "idle", {}, inTranscript(150, "yes"), "yes"],
    ["is the newer one of both", "idle", { lastResponse: "old", respondedAt: 50 }, inTranscript(150, "yes"), "yes"],
    [
      "is none after an interrupt, whatever was said before",
      "interrupted",
      { lastResponse: "old", respondedAt: 50 },
      noUsageView,
      null
    ],
    [
      "is none of a turn that failed",
      "idle",
      { lastResponse: "old", respondedAt: 50, turnFailedAt: 160 },
      noUsageView,
      null
    ],
    [
      "is what was said before the failure",
      "idle",
      { lastResponse: "half", respondedAt: 150, turnFailedAt: 160 },
      noUsageView,
      "half"
    ]
  ]
  for (const [name, state, facts, used, answer] of settled) {
    effect(name, function* () {
      const fiber = yield* Effect.forkChild(session(state, facts, used).answer)
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(yield* Fiber.join(fiber), answer)
    })
  }

  effect("is waited for where the last hook comes behind the turn's end; the former answer is not it", function* () {
    const { answer, learn } = session("idle", { lastResponse: "old", respondedAt: 50 })
    const fiber = yield* Effect.forkChild(answer)
    yield* TestClock.adjust("1 second")
    learn({ lastResponse: "new", respondedAt: 210 })
    yield* TestClock.adjust("100 millis")
    assert.strictEqual(yield* Fiber.join(fiber), "new")
  })

  effect("is what comes after the last tool, not what was said before it", function* () {
    const { answer, learn } = session("idle", { lastResponse: "I will look.", respondedAt: 120, toolEndedAt: 140 })
    const fiber = yield* Effect.forkChild(answer)
    yield* TestClock.adjust("1 second")
    learn({ lastResponse: "Two files.", respondedAt: 210 })
    yield* TestClock.adjust("100 millis")
    assert.strictEqual(yield* Fiber.join(fiber), "Two files.")
  })

  effect("is not waited for longer than five seconds, and never guessed", function* () {
    const silent = yield* Effect.forkChild(session("idle", { lastResponse: "old", respondedAt: 50 }).answer)
    const halfway = yield* Effect.forkChild(
      session("idle", { lastResponse: "I will look.", respondedAt: 120, toolEndedAt: 140 }).answer
    )
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* Fiber.join(silent), null)
    assert.strictEqual(yield* Fiber.join(halfway), "I will look.")
  })
})

describe("the failure of a message's turn", () => {
  const told = (ending: Pick<QueuedMessage, "cause" | "outcome" | "why">) =>
    turnFailure(
      {
        queue: {
          entries: [],
          finished: [
            {
              message: { ...message, ...ending },
              attempts: 0,
              attempting: false,
              at: 200,
              attemptedAt: 100
            }
          ]
        }
      } as unknown as SessionMemory["delivery"],
      "m"
    )

  it("is what its receipt says by now", () => {
    const failed = because({ _tag: "TurnFailed", failure: "overloaded" })
    assert.strictEqual(told({ ...failed, outcome: "failed" }), "overloaded")
    // it was put away as failed, went out again, and was answered
    assert.isNull(told({ ...failed, outcome: "completed" }))
    assert.isNull(told({ why: null, outcome: "completed" }))
    assert.isNull(told({ why: "its turn was interrupted", outcome: "interrupted" }))
    assert.isNull(told({ why: null }))
  })
})
