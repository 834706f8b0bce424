import { type Cause, Effect, Option, Queue, type Scope, Stream } from "effect"
import { toLatin1 } from "../../domain/words/text/Bytes.ts"
import * as Chords from "../../domain/surfaces/tui/Chords.ts"
import * as Keys from "../../domain/surfaces/tui/Keys.ts"
import * as PointerChords from "../../domain/surfaces/tui/PointerChords.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"

interface Decoder<K> {
  readonly decode: (state: Keys.KeyState, chunk: string) => Keys.Decoded<K>
  readonly flushHeld: (state: Keys.KeyState) => Keys.Decoded<K>
}

const keysWith = <K>({
  decode,
  flushHeld
}: Decoder<K>): Effect.Effect<Queue.Dequeue<K, Cause.Done>, never, UserTerminal | Scope.Scope> =>
  Effect.gen(function* () {
    const terminal = yield* UserTerminal
    const chunks = yield* Queue.unbounded<Uint8Array, Cause.Done>()
    const keys = yield* Queue.unbounded<K, Cause.Done>()
    yield* terminal.input.pipe(
      Stream.runForEach((chunk) => Queue.offer(chunks, chunk)),
      Effect.ensuring(Queue.end(chunks)),
      Effect.forkScoped
    )
    yield* Effect.gen(function* () {
      let state = Keys.start
      for (;;) {
        const patience = Keys.patience(state)
        const chunk =
          patience === null
            ? Option.some(yield* Queue.take(chunks))
            : yield* Effect.timeoutOption(Queue.take(chunks), patience)
        const decoded = Option.isSome(chunk) ? decode(state, toLatin1(chunk.value)) : flushHeld(state)
        state = decoded.state
        yield* Queue.offerAll(keys, decoded.keys)
      }
    }).pipe(Effect.ignore, Effect.ensuring(Queue.end(keys)), Effect.forkScoped)
    return keys
  })

/** Gives every key that the user presses until the scope ends; the queue ends when the terminal does. */
export const terminalKeys = keysWith<Keys.TuiKey>(Keys)

/** The same for an editor, which has a use for more keys. */
export const terminalChords = keysWith<Chords.Chord>(Chords)

/** The same with clicks and turns of the mouse's wheel, where the terminal was asked to report them. */
export const terminalPointerChords = keysWith<PointerChords.PointerChord>(PointerChords)
