import { Effect, Latch } from "effect"

/** The least time between two looks at the screen: what a person cannot tell apart need not be read twice. */
const lookInterval = "12 millis"
/** A frame that a synchronized update holds open longer than this is read as it is. */
const frameLimit = "1 second"

/**
 * Looks at the screen after output: at once for the first chunk of a burst, then at most once an interval, and always
 * after the last chunk. `look` says whether the frame was whole; a half-drawn one is looked at again, with `trust` set
 * when it has stayed half drawn too long.
 */
export const makeLooks = Effect.fnUntraced(function*(look: (trust: boolean) => Effect.Effect<boolean>) {
  const fresh = yield* Latch.make(false)
  yield* Effect.gen(function*() {
    yield* fresh.await
    yield* fresh.close
    const whole = yield* look(false)
    yield* Effect.sleep(lookInterval)
    if (whole) return
    yield* Effect.raceFirst(fresh.await, Effect.andThen(Effect.sleep(frameLimit), look(true)))
  }).pipe(Effect.forever, Effect.forkScoped)
  return { request: () => fresh.openUnsafe() }
})
