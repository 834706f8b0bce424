import { Clock, Effect } from "effect"

/**
 * A timer stops while the machine sleeps, and the clock may be set; no system reports either to Node. So the clock is
 * checked at this interval while something waits, however long, since a machine may sleep for days. It takes less than
 * a thousandth of a processor.
 */
const checkInterval = 1_000

/** Waits until the clock shows this moment (milliseconds since the epoch), for a millisecond at least. */
export const sleepUntil = (at: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let now = yield* Clock.currentTimeMillis; ;) {
      yield* Effect.sleep(Math.min(checkInterval, Math.max(1, at - now)))
      now = yield* Clock.currentTimeMillis
      if (at <= now) return
    }
  })
