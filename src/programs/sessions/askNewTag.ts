import { type Cause, Effect, Queue, Result, Schema, Stream } from "effect"
import { clean, shorten, width } from "../../domain/surfaces/tui/Cells.ts"
import * as Editor from "../../domain/surfaces/tui/Editor.ts"
import { shownLine } from "../../domain/surfaces/tui/EditorRows.ts"
import { bareOf, type Key } from "../../domain/surfaces/tui/Keys.ts"
import { encodeLine, span } from "../../domain/surfaces/tui/Paint.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Output } from "../../services/Output.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { takeKeys } from "../client/runScreen.ts"

type PromptEvent = { readonly _tag: "Pressed"; readonly key: Key } | { readonly _tag: "Resized" }

const question = "New tag for the session:"
/** The least number of columns for the entry. */
const entryRoom = 8
/** Bracketed paste, and no wrapping: the question stays on its line however narrow the terminal is. */
const enter = "\x1b[?2004h\x1b[?7l"
const leave = "\x1b[?7h\x1b[?2004l\r\n\x1b[J"

/**
 * Asks for a tag under which a session continues, on the cursor's line, until the entry can be used; `conflict` gives
 * the reason why one cannot. Null when the user enters nothing, or leaves (Escape, Ctrl+C, Ctrl+D, the end of the
 * terminal).
 */
export const askNewTag = Effect.fn("askNewTag")(function* <E, R>(options: {
  readonly conflict: (tag: string) => Effect.Effect<string | null, E, R>
}) {
  const terminal = yield* UserTerminal
  const { colour } = yield* Output
  yield* terminal.raw
  yield* terminal.restoreOnExit(leave)
  yield* Effect.addFinalizer(() => terminal.leave(leave))
  yield* terminal.write(enter)
  const events = yield* Queue.unbounded<PromptEvent, Cause.Done>()
  yield* takeKeys((key) => Queue.offer(events, { _tag: "Pressed", key }), Queue.end(events))
  yield* terminal.sizes.pipe(
    Stream.runForEach(() => Queue.offer(events, { _tag: "Resized" })),
    Effect.forkScoped({ startImmediately: true })
  )

  let field = Editor.empty
  let why: string | null = null
  const draw = Effect.gen(function* () {
    const { cols } = yield* terminal.size
    const prompt = `${shorten(question, cols - entryRoom - 1)} `
    const entry = shownLine(field, Math.max(0, cols - width(prompt) - 1))
    const below =
      why === null ? "" : `\r\n${encodeLine([span(shorten(`  ${clean(why)}`, cols - 1), "bad")], colour)}\x1b[A`
    yield* terminal.write(
      `\r\x1b[J${encodeLine([span(prompt, "accent", true)], colour)}${entry.text}${below}\r` +
        cursorRight(width(prompt) + entry.x)
    )
  })
  for (;;) {
    yield* draw
    const event = yield* Queue.take(events).pipe(Effect.orElseSucceed(() => null))
    if (event === null) return null
    if (event._tag === "Resized") continue
    const { key } = event
    if (["escape", "ctrl+c", "ctrl+d"].includes(key.key)) return null
    if (bareOf(key) !== "enter") {
      const edited = Editor.pressLine(field, key) ?? field
      if (edited.text !== field.text) why = null
      field = edited
      continue
    }
    const name = field.text.trim()
    if (name === "") return null
    const tag = Schema.decodeResult(Tag)(name)
    why = Result.isFailure(tag) ? tag.failure.message : yield* options.conflict(name)
    if (why === null && Result.isSuccess(tag)) return tag.success
  }
}, Effect.scoped)

const cursorRight = (cols: number): string => (cols === 0 ? "" : `\x1b[${cols}C`)
