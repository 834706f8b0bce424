import { Clock, Effect } from "effect"

/**
 * A timer stands still while the machine sleeps, and the clock may be set: a moment that is further off than this is
 * looked at again meanwhile.
 */
const longest = 60_000

/** Waits until the clock shows this moment (milliseconds since the epoch), for a millisecond at least. */
export const sleepUntil = (at: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (;;) {
      const left = at - (yield* Clock.currentTimeMillis)
      yield* Effect.sleep(Math.min(longest, Math.max(1, left)))
      if (left <= longest && at <= (yield* Clock.currentTimeMillis)) return
    }
  })
