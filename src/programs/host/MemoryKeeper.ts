import { Context, Effect, Latch, Layer } from "effect"
import { Memory } from "../../services/Memory.ts"

/**
 * Gives memory back after a flood: V8 keeps what it took for it until it needs to collect again, which a session that
 * has become still does not.
 */
export class MemoryKeeper extends Context.Service<
  MemoryKeeper,
  {
    /** The CLI has written so many bytes. */
    readonly output: (bytes: number) => void
  }
>()("leap/programs/host/MemoryKeeper") {}

/** So much output leaves garbage worth a collection. */
const flood = 4 << 20
/** The session has been still for so long: nobody types, and nothing is being drawn. */
const stillness = "2 seconds"

const make = Effect.gen(function* () {
  const { release } = yield* Memory
  const due = yield* Latch.make(false)
  let since = 0
  let last = 0
  yield* Effect.gen(function* () {
    yield* due.await
    do {
      last = since
      yield* Effect.sleep(stillness)
    } while (last !== since)
    since = 0
    yield* due.close
    yield* release
  }).pipe(Effect.forever, Effect.forkScoped)
  return MemoryKeeper.of({
    output: (bytes) => {
      since += bytes
      if (since >= flood) due.openUnsafe()
    }
  })
})

export const layer = Layer.effect(MemoryKeeper, make)
