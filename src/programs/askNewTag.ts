import { type Cause, Effect, Queue, Result, Schema, Stream } from "effect"
import { clean, clipStart, shorten, width } from "../domain/picker/Cells.ts"
import type { Key } from "../domain/picker/Keys.ts"
import { encodeLine, span } from "../domain/picker/Paint.ts"
import { edit } from "../domain/picker/Query.ts"
import { Tag } from "../domain/Tag.ts"
import { Output } from "../services/Output.ts"
import { UserTerminal } from "../services/UserTerminal.ts"
import { terminalKeys } from "./terminalKeys.ts"

type Happening = { readonly _tag: "Pressed"; readonly key: Key } | { readonly _tag: "Resized" }

const question = "New tag for the session:"
/** Columns that what is entered has at least. */
const entryRoom = 8
/** Pastes in brackets, and no wrapping: the question keeps to its line however narrow the terminal is. */
const enter = "\x1b[?2004h\x1b[?7l"
const leave = "\x1b[?7h\x1b[?2004l\r\n\x1b[J"

/**
 * Asks for the tag that a session goes on under, on the line where the cursor is, until one can be used: `taken` says
 * why one cannot. Null when the user enters nothing, or leaves (Escape, Ctrl+C, Ctrl+D, the end of the terminal).
 */
export const askNewTag = Effect.fn("askNewTag")(function*<E, R>(options: {
  readonly taken: (tag: string) => Effect.Effect<string | null, E, R>
}) {
  const terminal = yield* UserTerminal
  const { colour } = yield* Output
  yield* terminal.raw
  yield* terminal.lastWords(leave)
  yield* Effect.addFinalizer(() => Effect.andThen(terminal.write(leave), terminal.lastWords(null)))
  yield* terminal.write(enter)
  const happenings = yield* Queue.unbounded<Happening, Cause.Done>()
  yield* Stream.fromQueue(yield* terminalKeys).pipe(
    Stream.runForEach((key) => Queue.offer(happenings, { _tag: "Pressed", key })),
    Effect.ensuring(Queue.end(happenings)),
    Effect.forkScoped
  )
  yield* terminal.sizes.pipe(
    Stream.runForEach(() => Queue.offer(happenings, { _tag: "Resized" })),
    Effect.forkScoped({ startImmediately: true })
  )

  let text = ""
  let why: string | null = null
  const draw = Effect.gen(function*() {
    const { cols } = yield* terminal.size
    const prompt = `${shorten(question, cols - entryRoom - 1)} `
    const shown = clipStart(clean(text), Math.max(0, cols - width(prompt) - 1))
    const below = why === null ? "" : `\r\n${encodeLine([span(shorten(`  ${clean(why)}`, cols - 1), "bad")], colour)}\x1b[A`
    yield* terminal.write(`\r\x1b[J${encodeLine([span(prompt, "accent", true)], colour)}${shown}${below}\r${right(width(prompt) + width(shown))}`)
  })
  for (;;) {
    yield* draw
    const happening = yield* Queue.take(happenings).pipe(Effect.orElseSucceed(() => null))
    if (happening === null) return null
    if (happening._tag === "Resized") continue
    const { key } = happening
    if (key.key === "cancel" || key.key === "escape") return null
    if (key.key !== "enter") {
      const edited = edit(text, key)
      if (edited !== null && edited !== text) {
        text = edited
        why = null
      }
      continue
    }
    const name = text.trim()
    if (name === "") return null
    const tag = Schema.decodeResult(Tag)(name)
    why = Result.isFailure(tag) ? tag.failure.message : yield* options.taken(name)
    if (why === null && Result.isSuccess(tag)) return tag.success
  }
}, Effect.scoped)

const right = (cols: number): string => cols === 0 ? "" : `\x1b[${cols}C`
