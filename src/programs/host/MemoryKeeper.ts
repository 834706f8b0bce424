import { Context, Effect, Latch, Layer } from "effect"
import { Memory } from "../../services/Memory.ts"
import { SessionScreen } from "./SessionScreen.ts"

/** Frees memory when the session is still: compresses scrollback rows, and makes V8 collect much garbage. */
export class MemoryKeeper extends Context.Service<
  MemoryKeeper,
  {
    readonly output: (bytes: number) => void
    /** Takes the bytes of garbage from a client's request or connection. */
    readonly heard: (bytes: number) => void
    /** The terminal's columns have changed, which has unpacked all rows. */
    readonly reflowed: () => void
  }
>()("leap/programs/host/MemoryKeeper") {}

/** The bytes of output that make it worth compressing scrollback rows. */
const compactAfter = 256 << 10
/** The bytes of output and clients' garbage that are worth a collection. */
const collectAfter = 4 << 20
/** The time without output and reflow after which the session is still. */
const stillness = "2 seconds"

const make = Effect.gen(function* () {
  const { release } = yield* Memory
  const screen = yield* SessionScreen
  const due = yield* Latch.make(false)
  let events = 0
  let uncompacted = 0
  let uncollected = 0
  yield* Effect.gen(function* () {
    yield* due.await
    let last: number
    do {
      last = events
      yield* Effect.sleep(stillness)
    } while (last !== events)
    yield* due.close
    uncompacted = 0
    screen.compact()
    if (uncollected < collectAfter) return
    uncollected = 0
    yield* release
  }).pipe(Effect.forever, Effect.forkScoped)
  return MemoryKeeper.of({
    output: (bytes) => {
      events++
      uncollected += bytes
      uncompacted += bytes
      if (uncompacted >= compactAfter) due.openUnsafe()
    },
    // requests count as no event: frequent ones would put off the work for ever
    heard: (bytes) => {
      uncollected += bytes
      if (uncollected >= collectAfter) due.openUnsafe()
    },
    reflowed: () => {
      events++
      due.openUnsafe()
    }
  })
})

export const layer = Layer.effect(MemoryKeeper, make)
