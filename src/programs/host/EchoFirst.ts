import { Context, Effect, Layer } from "effect"

/** Milliseconds; programs echo a key sooner. */
export const echoMs = 2

/**
 * Delays the work after a key or output until the echo has passed. Waking a fiber takes longer than a program needs for
 * its echo, and would block the thread that passes it on. While this process sleeps, the program that draws the echo
 * can use the processor.
 */
export class EchoFirst extends Context.Service<
  EchoFirst,
  {
    /** Runs the task {@link echoMs} later, together with other waiting tasks. Never blocks. */
    readonly run: (task: () => void) => void
  }
>()("leap/programs/host/EchoFirst") {}

const make = Effect.gen(function* () {
  let waiting: Array<() => void> = []
  /** Wakes the fiber at once. Forking one for each key takes three times as long, and delays the echo. */
  let begin: (() => void) | null = null
  const first = Effect.callback<void>((resume) => {
    begin = () => {
      begin = null
      resume(Effect.void)
    }
    if (waiting.length > 0) begin()
  })
  const runAll = Effect.suspend(() => {
    const all = waiting
    waiting = []
    return Effect.forEach(
      all,
      (one) => Effect.catchCause(Effect.sync(one), (cause) => Effect.logError("what follows the echo failed", cause)),
      { discard: true }
    )
  })
  yield* first.pipe(
    Effect.andThen(Effect.sleep(echoMs)),
    Effect.andThen(runAll),
    Effect.forever,
    Effect.forkScoped({ startImmediately: true })
  )
  return EchoFirst.of({
    run: (task) => {
      waiting.push(task)
      begin?.()
    }
  })
})

export const layer = Layer.effect(EchoFirst, make)
