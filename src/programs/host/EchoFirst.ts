import { Context, Effect, Layer } from "effect"

/** Milliseconds; programs echo a key sooner. */
export const echoMs = 2

/**
 * Puts off what follows from a key, and from output, until the echo is through. Nothing is woken before that: waking a
 * fiber takes longer than the program needs for the echo, in the thread that is to pass it on; and who is to draw the
 * echo often gets this very processor, when this process sleeps.
 */
export class EchoFirst extends Context.Service<
  EchoFirst,
  {
    /** Does this {@link echoMs} later, or with what waits already. Never blocks. */
    readonly run: (task: () => void) => void
  }
>()("leap/programs/host/EchoFirst") {}

const make = Effect.gen(function* () {
  let waiting: Array<() => void> = []
  /** Lets the fiber go on in this moment; to fork one for each key takes three times as long, and the echo waits for it. */
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
