import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { sleepUntil } from "../../../src/programs/host/sleepUntil.ts"

const hour = 3_600_000

/** A wait of this length on a clock that can be set while its timers stand still, as a machine's does that sleeps. */
const waiting = Effect.fnUntraced(function* (span: number) {
  const timers = yield* Clock.Clock
  let set = 0
  const clock: Clock.Clock = Object.assign(Object.create(timers) as Clock.Clock, {
    currentTimeMillisUnsafe: () => timers.currentTimeMillisUnsafe() + set,
    currentTimeMillis: Effect.map(timers.currentTimeMillis, (now) => now + set)
  })
  const wait = sleepUntil(timers.currentTimeMillisUnsafe() + span).pipe(Effect.provideService(Clock.Clock, clock))
  const fiber = yield* Effect.forkScoped(wait, { startImmediately: true })
  return { set: (by: number) => void (set += by), isOver: () => fiber.pollUnsafe() !== undefined }
})

describe("a wait for a moment", () => {
  it.effect("is over at that moment, and not before", () =>
    Effect.gen(function* () {
      const wait = yield* waiting(8 * hour)
      yield* TestClock.adjust(8 * hour - 1)
      assert.isFalse(wait.isOver())
      yield* TestClock.adjust(1)
      assert.isTrue(wait.isOver())
    }).pipe(Effect.scoped)
  )

  it.effect("is over within a minute of waking, where the machine sleeps over it", () =>
    Effect.gen(function* () {
      const wait = yield* waiting(8 * hour)
      yield* TestClock.adjust("10 seconds")
      wait.set(9 * hour)
      yield* TestClock.adjust("1 minute")
      assert.isTrue(wait.isOver())
    }).pipe(Effect.scoped)
  )

  it.effect("is longer where the clock is set back, also in its last minute", () =>
    Effect.gen(function* () {
      const wait = yield* waiting(hour)
      yield* TestClock.adjust(hour - 30_000)
      wait.set(-2 * hour)
      yield* TestClock.adjust(2 * hour)
      assert.isFalse(wait.isOver())
      yield* TestClock.adjust("1 minute")
      assert.isTrue(wait.isOver())
    }).pipe(Effect.scoped)
  )
})
