import { type Cause, Effect, Layer, Queue, Semaphore, Stream } from "effect"
import * as Editor from "../../domain/surfaces/tui/Editor.ts"
import { shownRows } from "../../domain/surfaces/tui/Editor.ts"
import type { Key } from "../../domain/surfaces/tui/Keys.ts"
import { stepOf } from "../../domain/surfaces/tui/List.ts"
import { encodeLine, span } from "../../domain/surfaces/tui/Paint.ts"
import { emptyHistory, entered, gone } from "../../domain/surfaces/queueClient/EntryHistory.ts"
import { columnsOf } from "../../domain/words/text/columns.ts"
import { withoutColours } from "../../domain/words/text/printable.ts"
import { LinePrompt } from "../../services/LinePrompt.ts"
import { takeKeys } from "../../services/takeKeys.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"

const [pasteOn, pasteOff] = ["\x1b[?2004h", "\x1b[?2004l"]

const open = Effect.gen(function* () {
  const terminal = yield* UserTerminal
  const entries = yield* Queue.unbounded<string, Cause.Done>()
  const turn = yield* Semaphore.make(1)
  let prompt = ""
  let editor = Editor.empty
  let history = emptyHistory
  /** The drawn lines above the cursor's; null: nothing is drawn. */
  let shown: ReadonlyArray<string> | null = null

  const erased = Effect.map(terminal.size, ({ cols }) => {
    if (shown === null) return ""
    // A resized terminal has wrapped the lines again.
    const rows = shown.map((line) => Math.max(1, Math.ceil(columnsOf(withoutColours(line)) / cols)))
    const above = rows.reduce((sum, count) => sum + count, 0)
    shown = null
    return `\r${above === 0 ? "" : `\x1b[${above}A`}\x1b[J`
  })
  const draw = Effect.fnUntraced(function* (printed: string) {
    const before = (yield* erased) + printed
    const { cols, rows } = yield* terminal.size
    const heads = prompt.split("\n")
    const sign = span(heads.pop() ?? "")
    const at = { cols: Math.max(1, cols - columnsOf(sign.text) - 1), rows: Math.max(1, rows >> 1), sign }
    const { cursor, lines } = shownRows(editor, at)
    const drawn = [...heads, ...lines.map((line) => encodeLine(line, false))]
    shown = drawn.slice(0, heads.length + cursor.y)
    const below = lines.length - 1 - cursor.y
    yield* terminal.write(
      before +
        drawn.join("\r\n") +
        `${below === 0 ? "" : `\x1b[${below}A`}\r${cursor.x === 0 ? "" : `\x1b[${cursor.x}C`}`
    )
  })

  const press = Effect.fnUntraced(function* (key: Key) {
    if ((key.key === "ctrl+c" || key.key === "ctrl+d") && Editor.isEmpty(editor)) {
      yield* Queue.end(entries)
      return
    }
    if (key.key === "enter") {
      const { text } = Editor.contentOf(editor)
      editor = Editor.empty
      history = entered(history, text)
      // The consumer prints the entry, unless it is blank.
      yield* text.trim() === "" ? draw("") : Effect.flatMap(erased, terminal.write)
      yield* Queue.offer(entries, text)
      return
    }
    const { cols } = yield* terminal.size
    const edited = key.key === "ctrl+c" ? Editor.empty : Editor.press(editor, key, cols)
    const by = edited === null ? stepOf(key, 0) : null
    const walk = by === 1 || by === -1 ? gone(history, by === 1 ? -1 : 1, editor.text) : null
    if (walk !== null) history = walk.history
    editor = edited ?? (walk === null ? editor : Editor.put({ ...Editor.empty, pieces: editor.pieces }, walk.text))
    if (shown !== null) yield* draw("")
  })

  yield* Effect.orDie(terminal.raw)
  yield* terminal.restoreOnExit(pasteOff)
  yield* Effect.addFinalizer(() => Effect.flatMap(erased, (bytes) => terminal.leave(bytes + pasteOff)))
  yield* terminal.write(pasteOn)
  yield* takeKeys((key) => turn.withPermit(press(key)), Queue.end(entries))
  yield* terminal.sizes.pipe(
    Stream.runForEach(() => turn.withPermit(Effect.suspend(() => (shown === null ? Effect.void : draw(""))))),
    Effect.forkScoped
  )
  return {
    entries: Stream.fromQueue(entries),
    prompt: (text: string) =>
      turn.withPermit(
        Effect.suspend(() => {
          if (text === prompt && shown !== null) return Effect.void
          prompt = text
          return draw("")
        })
      ),
    print: (line: string) => turn.withPermit(draw(`${line}\r\n`))
  }
})

export const layer: Layer.Layer<LinePrompt, never, UserTerminal> = Layer.effect(
  LinePrompt,
  Effect.map(UserTerminal, (terminal) => ({ open: Effect.provideService(open, UserTerminal, terminal) }))
)
