import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { RestoredSession } from "../../../src/programs/host/RestoredSession.ts"
import * as SessionWork from "../../../src/programs/host/SessionWork.ts"
import { freshMemory } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

const session = Effect.gen(function* () {
  const context = yield* Layer.build(
    SessionWork.layer.pipe(
      Layer.provide(
        Layer.succeed(RestoredSession, {
          memory: freshMemory(),
          log: { records: [], damaged: 0, append: () => Effect.void, compact: () => Effect.void }
        })
      )
    )
  )
  const work = Context.get(context, SessionWork.SessionWork)
  const taken: Array<number> = []
  yield* work.waiting.pipe(
    Stream.runForEach((one) => Effect.sync(() => void taken.push(one._tag === "Event" ? one.event.at : -1))),
    Effect.forkScoped({ startImmediately: true })
  )
  const event = (at: number) => ({ _tag: "Event", event: { _tag: "Tick", at } }) as const
  return { work, taken, event }
})

describe("what waits for the session's machine", () => {
  effect("may wait for a moment, but no longer, and never behind what came after it", function* () {
    const { event, taken, work } = yield* session
    work.offerSoon(event(1))
    work.offerSoon(event(2))
    yield* TestClock.adjust(SessionWork.soonMs - 1)
    assert.deepStrictEqual(taken, [])
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(taken, [1, 2])
    work.offerSoon(event(3))
    work.offer(event(4))
    yield* TestClock.adjust(0)
    assert.deepStrictEqual(taken, [1, 2, 3, 4], "other work takes it along")
    work.offerSoon(event(5))
    work.hurry()
    yield* TestClock.adjust(0)
    assert.deepStrictEqual(taken, [1, 2, 3, 4, 5])
    yield* TestClock.adjust(SessionWork.soonMs)
    work.offerSoon(event(6))
    yield* TestClock.adjust(SessionWork.soonMs)
    assert.deepStrictEqual(taken, [1, 2, 3, 4, 5, 6], "each once")
  })
})
