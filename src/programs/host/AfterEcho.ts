import { Context, Effect, FiberSet, Layer } from "effect"

/** Milliseconds; programs echo a key sooner. */
export const echoMs = 2

/**
 * Puts off what follows from a key, and from output, until the echo is through. Nothing is woken before that: waking a
 * fiber takes longer than the program needs for the echo, in the thread that is to pass it on; and who is to draw the
 * echo often gets this very processor, when this process sleeps.
 */
export class AfterEcho extends Context.Service<
  AfterEcho,
  {
    /** Does this {@link echoMs} later, or with what waits already. Never blocks. */
    readonly run: (task: () => void) => void
  }
>()("leap/programs/host/AfterEcho") {}

const make = Effect.gen(function* () {
  const run = yield* FiberSet.makeRuntime<never>()
  let waiting: Array<() => void> = []
  const later = Effect.andThen(
    Effect.sleep(echoMs),
    Effect.sync(() => {
      const all = waiting
      waiting = []
      for (const one of all) one()
    })
  )
  return AfterEcho.of({
    run: (task) => {
      waiting.push(task)
      if (waiting.length === 1) run(later)
    }
  })
})

export const layer = Layer.effect(AfterEcho, make)
