import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as ClockForward from "../../../src/layers/system/ClockForward.ts"
import { effect } from "../../support/run/effects.ts"

effect("never goes back, and follows a jump ahead", function* () {
  let [wall, monotonic] = [1_000_000, 50]
  const clock = ClockForward.from(
    yield* Clock.Clock,
    () => wall,
    () => monotonic
  )
  const after = (wallStep: number, monotonicStep: number) => {
    wall += wallStep
    monotonic += monotonicStep
    return clock.currentTimeMillisUnsafe()
  }
  assert.strictEqual(after(0, 0), 1_000_000)
  assert.strictEqual(after(500, 500), 1_000_500)
  // set back by an hour: time goes on all the same
  assert.strictEqual(after(-3_600_000, 20), 1_000_520)
  assert.strictEqual(after(100, 100), 1_000_620)
  // asleep for a day, which the monotonic clock does not count
  assert.strictEqual(after(86_400_000, 5), 87_400_620)
  assert.strictEqual(yield* Clock.currentTimeMillis.pipe(Effect.provideService(Clock.Clock, clock)), 87_400_620)
})
