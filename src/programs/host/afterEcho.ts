import { Effect, FiberSet } from "effect"

/** Milliseconds; programs echo a key sooner. */
export const echoMs = 2

/**
 * Gives a function that puts off what follows from a key until its echo is through: no fiber is woken before that,
 * which would take longer than the program needs for the echo, in the thread that is to pass it on. What is put off
 * while something waits is done with it.
 */
export const makeAfterEcho = Effect.gen(function* () {
  const run = yield* FiberSet.makeRuntime<never>()
  let waiting: Array<() => void> = []
  const doAll = Effect.sync(() => {
    const all = waiting
    waiting = []
    for (const one of all) one()
  })
  const later = Effect.andThen(Effect.sleep(echoMs), doAll)
  return (task: () => void): void => {
    waiting.push(task)
    if (waiting.length === 1) run(later)
  }
})
