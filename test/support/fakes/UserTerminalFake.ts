import { type Cause, Context, Effect, Layer, Queue, Stream } from "effect"
import { utf8ToLatin1, fromLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as TerminalModes from "../../../src/domain/terminal/sequences/TerminalModes.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { Output } from "../../../src/services/Output.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { UserTerminal } from "../../../src/services/UserTerminal.ts"

/** The far end of a terminal that is none: what the user does, and what is to be seen. */
export class UserTerminalFake extends Context.Service<
  UserTerminalFake,
  {
    /** Sends bytes; text as UTF-8. */
    readonly type: (text: string) => Effect.Effect<void>
    readonly resize: (cols: number, rows: number) => Effect.Effect<void>
    readonly hangUp: Effect.Effect<void>
    readonly screen: () => string
    /** Everything that was written since this was asked last. */
    readonly written: () => string
    /** What is left of what a program changed: raw mode, modes (as the sequence that undoes them), last words. */
    readonly left: () => ReadonlyArray<string>
    readonly isRaw: () => boolean
  }
>()("test/UserTerminalFake") {}

/** What every terminal answers: which it is. */
const answered = (text: string): string => (text.includes("\x1b[c") ? "\x1b[?62;22c" : "")

/** A terminal of this size, emulated, with the program's standard output on it, and its answers to what it is sent. */
export const layer = (
  cols = 80,
  rows = 24,
  answers = answered
): Layer.Layer<UserTerminal | UserTerminalFake | Output> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const screen = yield* (yield* Screen).make({ cols, rows, scrollback: 0 })
      const keys = yield* Queue.unbounded<Uint8Array, Cause.Done>()
      const sizes = yield* Queue.unbounded<{ readonly cols: number; readonly rows: number }>()
      let size = { cols, rows }
      let raw = 0
      let words: string | (() => string) | null = null
      let bytes = ""
      const write = (data: Uint8Array | string) =>
        Effect.sync(() => {
          const chunk = typeof data === "string" ? new TextEncoder().encode(data) : data
          screen.feed(chunk)
          const text = new TextDecoder().decode(chunk)
          bytes += text
          const answer = answers(text)
          if (answer !== "") Queue.offerUnsafe(keys, fromLatin1(answer))
        })
      return Context.make(
        UserTerminal,
        UserTerminal.of({
          isTerminal: true,
          size: Effect.sync(() => size),
          sizes: Stream.fromQueue(sizes),
          raw: Effect.acquireRelease(
            Effect.sync(() => void raw++),
            () => Effect.sync(() => void raw--)
          ),
          input: Stream.fromQueue(keys),
          onInput: (take) =>
            Stream.fromQueue(keys).pipe(
              Stream.runForEach((chunk) => Effect.sync(() => take(chunk))),
              Effect.forkScoped,
              Effect.asVoid
            ),
          write,
          writeNow: (data) => {
            Effect.runSync(write(data()))
            return true
          },
          restoreOnExit: (text) => Effect.sync(() => void (words = text)),
          leave: (bytes) =>
            Effect.andThen(
              write(bytes),
              Effect.sync(() => void (words = null))
            ),
          suspend: Effect.succeed(false)
        })
      ).pipe(
        Context.add(UserTerminalFake, {
          type: (text) => Queue.offer(keys, fromLatin1(utf8ToLatin1(text))),
          resize: (cols, rows) =>
            Effect.suspend(() => {
              size = { cols, rows }
              screen.resize(cols, rows)
              return Queue.offer(sizes, size)
            }),
          hangUp: Effect.asVoid(Queue.end(keys)),
          screen: screen.text,
          written: () => {
            const all = bytes
            bytes = ""
            return all
          },
          left: () => [
            ...(raw > 0 ? ["raw mode"] : []),
            ...(words === null ? [] : [`last words: ${typeof words === "string" ? words : words()}`]),
            ...(screen.view().cursor.visible ? [] : ["hidden cursor"]),
            ...[TerminalModes.restoreSequence(screen.modes())].filter(
              (undo) => undo !== TerminalModes.restoreSequence(TerminalModes.start)
            )
          ],
          isRaw: () => raw > 0
        }),
        Context.merge(
          yield* Layer.build(
            Layer.mock(Output, {
              colour: true,
              isTerminal: true,
              inputIsTerminal: true,
              errorIsTerminal: true,
              note: (text) => write(`${text}\r\n`)
            })
          )
        )
      )
    })
  ).pipe(Layer.provide(ScreenXterm.layer))
