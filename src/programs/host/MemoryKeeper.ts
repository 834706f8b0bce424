import { Context, Effect, Latch, Layer } from "effect"
import { Memory } from "../../services/Memory.ts"
import { SessionScreen } from "./SessionScreen.ts"

/** Frees memory when the session is still: compresses scrollback rows, and makes V8 collect after much output. */
export class MemoryKeeper extends Context.Service<
  MemoryKeeper,
  {
    readonly output: (bytes: number) => void
    /** The memory cost of clients in bytes: of requests, and of closed connections. */
    readonly heard: (bytes: number) => void
    /** The terminal's columns have changed, which has unpacked all rows. */
    readonly reflowed: () => void
  }
>()("leap/programs/host/MemoryKeeper") {}

/** Enough output to check for new scrollback rows. */
const worthLooking = 256 << 10
/** Enough output to be worth a collection. */
const flood = 4 << 20
/** The time without keys and output after which the session is still. */
const stillness = "2 seconds"

const make = Effect.gen(function* () {
  const { release } = yield* Memory
  const screen = yield* SessionScreen
  const due = yield* Latch.make(false)
  let events = 0
  let unseen = 0
  let since = 0
  yield* Effect.gen(function* () {
    yield* due.await
    let last: number
    do {
      last = events
      yield* Effect.sleep(stillness)
    } while (last !== events)
    yield* due.close
    unseen = 0
    screen.compact()
    if (since < flood) return
    since = 0
    yield* release
  }).pipe(Effect.forever, Effect.forkScoped)
  return MemoryKeeper.of({
    output: (bytes) => {
      events++
      since += bytes
      unseen += bytes
      if (unseen >= worthLooking) due.openUnsafe()
    },
    // frequent requests must not delay the work
    heard: (bytes) => {
      since += bytes
      if (since >= flood) due.openUnsafe()
    },
    reflowed: () => {
      events++
      due.openUnsafe()
    }
  })
})

export const layer = Layer.effect(MemoryKeeper, make)
