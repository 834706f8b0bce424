import { Clock, type Duration, Effect, type Latch, Schedule } from "effect"

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

/** Whether this comes to hold in time. Nothing tells when, so it is looked at again and again. */
export const holdsWithin = (holds: () => boolean, timeout: Duration.Input): Effect.Effect<boolean> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.timeout(timeout),
    // on a busy machine it may have come to hold since the last look
    Effect.match({ onSuccess: () => true, onFailure: holds })
  )

/** Works off what a latch announces, for the scope: it is closed first, so that news during the work counts anew. */
export const whenever = <R>(news: Latch.Latch, work: Effect.Effect<unknown, never, R>) =>
  Effect.andThen(news.await, Effect.andThen(news.close, work)).pipe(Effect.forever, Effect.forkScoped)
