import { assert, describe } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { sleepUntil } from "../../../src/programs/host/waits.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"

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
  effect("is over at that moment, and not before", function* () {
    const wait = yield* waiting(8 * hour)
    yield* TestClock.adjust(8 * hour - 1)
    assert.isFalse(wait.isOver())
    yield* TestClock.adjust(1)
    assert.isTrue(wait.isOver())
  })

  effectOfEach<readonly [what: string, span: number, jump: number]>([
    ["sleeps over it", 8 * hour, 9 * hour],
    ["sleeps for days, over one of days", 72 * hour, 80 * hour],
    ["has its clock set to it exactly", 2 * hour, 2 * hour - 10_000],
    ["has its clock set over its last seconds", 40_000, 35_000]
  ])("is over within a second where the machine %s", function* ([, span, jump]) {
    const wait = yield* waiting(span)
    yield* TestClock.adjust("10 seconds")
    assert.isFalse(wait.isOver())
    wait.set(jump)
    yield* TestClock.adjust("1 second")
    assert.isTrue(wait.isOver())
  })

  effect("is longer where the clock is set back, also in its last minute", function* () {
    const wait = yield* waiting(hour)
    yield* TestClock.adjust(hour - 30_000)
    wait.set(-2 * hour)
    yield* TestClock.adjust(2 * hour + 30_000 - 1)
    assert.isFalse(wait.isOver())
    yield* TestClock.adjust(1)
    assert.isTrue(wait.isOver())
  })

  effect("is as long as it was where the clock is set back and forth", function* () {
    const wait = yield* waiting(60_000)
    for (const by of [-hour, hour, -5_000, 5_000]) {
      wait.set(by)
      yield* TestClock.adjust("10 seconds")
      assert.isFalse(wait.isOver())
    }
    yield* TestClock.adjust("20 seconds")
    assert.isTrue(wait.isOver())
  })

  effect("of a moment that is past is a millisecond", function* () {
    const wait = yield* waiting(-hour)
    assert.isFalse(wait.isOver())
    yield* TestClock.adjust(1)
    assert.isTrue(wait.isOver())
  })
})
