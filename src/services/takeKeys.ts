import { type Cause, Effect, Option, Queue, Stream } from "effect"
import * as Keys from "../domain/surfaces/tui/Keys.ts"
import { toLatin1 } from "../domain/words/text/Bytes.ts"
import { UserTerminal } from "./UserTerminal.ts"

/** Passes each key of the raw terminal to `take` until the scope ends. Runs `end` when the terminal disconnects. */
export const takeKeys = Effect.fnUntraced(function* (
  take: (key: Keys.Key) => Effect.Effect<unknown>,
  end: Effect.Effect<unknown>
) {
  const terminal = yield* UserTerminal
  const chunks = yield* Queue.unbounded<Uint8Array, Cause.Done>()
  yield* terminal.input.pipe(
    Stream.runForEach((chunk) => Queue.offer(chunks, chunk)),
    Effect.ensuring(Queue.end(chunks)),
    Effect.forkScoped
  )
  yield* Effect.gen(function* () {
    let state = Keys.start
    for (;;) {
      const timeout = Keys.timeout(state)
      const chunk =
        timeout === null
          ? Option.some(yield* Queue.take(chunks))
          : yield* Effect.timeoutOption(Queue.take(chunks), timeout)
      const decoded = Option.isSome(chunk) ? Keys.decode(state, toLatin1(chunk.value)) : Keys.flushHeld(state)
      state = decoded.state
      yield* Effect.forEach(decoded.keys, take, { discard: true })
    }
  }).pipe(Effect.ignore, Effect.andThen(end), Effect.forkScoped)
})
