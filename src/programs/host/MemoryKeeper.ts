import { Context, Effect, Latch, Layer } from "effect"
import { Memory } from "../../services/Memory.ts"
import { SessionScreen } from "./SessionScreen.ts"

/**
 * Sees to memory when the session has become still: rows that have left the screen are packed, and after a flood V8
 * gives back what it took for it, which it would keep until it needs to collect again.
 */
export class MemoryKeeper extends Context.Service<
  MemoryKeeper,
  {
    /** The CLI has written so many bytes. */
    readonly output: (bytes: number) => void
    /** Clients have cost so many bytes: what they sent, and what their connections leave. */
    readonly heard: (bytes: number) => void
    /** The terminal has got other columns, for which all of its rows were needed. */
    readonly reflowed: () => void
  }
>()("leap/programs/host/MemoryKeeper") {}

/** So much output has moved enough rows off the screen to look for them. */
const worthLooking = 256 << 10
/** So much output leaves garbage worth a collection. */
const flood = 4 << 20
/** The session has been still for so long: nobody types, and nothing is being drawn. */
const stillness = "2 seconds"

const make = Effect.gen(function* () {
  const { release } = yield* Memory
  const screen = yield* SessionScreen
  const due = yield* Latch.make(false)
  let events = 0
  /** Bytes since rows were looked for, and since the last collection. */
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
    // who asks each second must not put off what is due
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
