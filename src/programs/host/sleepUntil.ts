import { Clock, Effect } from "effect"

/**
 * A timer stands still while the machine sleeps, and the clock may be set. No system that leap runs on tells a Node
 * program of either, so the clock is looked at this often while something waits for a moment, however far off that is:
 * a machine may sleep for days. It takes a host less than a thousandth of a processor, and nothing where nothing
 * waits.
 */
const longest = 1_000

/** Waits until the clock shows this moment (milliseconds since the epoch), for a millisecond at least. */
export const sleepUntil = (at: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let now = yield* Clock.currentTimeMillis; ;) {
      yield* Effect.sleep(Math.min(longest, Math.max(1, at - now)))
      now = yield* Clock.currentTimeMillis
      if (at <= now) return
    }
  })
