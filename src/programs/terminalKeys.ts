import { type Cause, Effect, Option, Queue, type Scope, Stream } from "effect"
import { toLatin1 } from "../domain/Bytes.ts"
import * as Keys from "../domain/picker/Keys.ts"
import { UserTerminal } from "../services/UserTerminal.ts"

/** Gives every key that the user presses until the scope ends; the end of the queue is the terminal's. */
export const terminalKeys: Effect.Effect<Queue.Dequeue<Keys.Key, Cause.Done>, never, UserTerminal | Scope.Scope> = Effect.gen(function*() {
  const terminal = yield* UserTerminal
  const chunks = yield* Queue.unbounded<Uint8Array, Cause.Done>()
  const keys = yield* Queue.unbounded<Keys.Key, Cause.Done>()
  yield* terminal.input.pipe(
    Stream.runForEach((chunk) => Queue.offer(chunks, chunk)),
    Effect.ensuring(Queue.end(chunks)),
    Effect.forkScoped
  )
  yield* Effect.gen(function*() {
    let state = Keys.start
    for (;;) {
      const patience = Keys.patience(state)
      const chunk = patience === null
        ? Option.some(yield* Queue.take(chunks))
        : yield* Effect.timeoutOption(Queue.take(chunks), patience)
      const decoded = Option.isSome(chunk) ? Keys.decode(state, toLatin1(chunk.value)) : Keys.settle(state)
      state = decoded.state
      yield* Queue.offerAll(keys, decoded.keys)
    }
  }).pipe(Effect.ignore, Effect.ensuring(Queue.end(keys)), Effect.forkScoped)
  return keys
})
