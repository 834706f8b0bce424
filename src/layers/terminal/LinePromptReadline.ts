import { Clock, type Cause, Effect, Layer, Queue, Stream } from "effect"
import { PassThrough } from "node:stream"
import * as readline from "node:readline"
import { toLatin1, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import { columnsOf } from "../../domain/words/text/columns.ts"
import * as InputBytes from "../../domain/terminal/sequences/InputBytes.ts"
import { LinePrompt } from "../../services/LinePrompt.ts"

const pasteOn = "\u001b[?2004h"
const pasteOff = "\u001b[?2004l"
const pasteMarkers = /\u001b\[20[01]~/g
/**
 * Stands for a line break in the single line that readline edits: visible, editable, and turned back when the line is
 * entered.
 */
const breakMark = "\u240a"
/** Ctrl+J, and Enter with Alt or (in newer encodings) Shift: a line break instead of the end of the entry. */
const breakKeys: ReadonlySet<string> = new Set(["\n", "\u001b\r", "\u001b[13;2u", "\u001b[13;3u", "\u001b[27;2;13~"])

/** The part of the terminal's bytes (latin1) that readline gets. */
const forReadline = (parts: ReadonlyArray<InputBytes.InputPart>): string =>
  parts
    .map((part) => {
      if (part._tag !== "Keys") return ""
      if (part.kind === "paste") {
        return part.data
          .replace(pasteMarkers, "")
          .replace(/\r\n?|\n/g, utf8ToLatin1(breakMark))
          .replace(/\t/g, "    ")
          .replace(/[\u0000-\u001f\u007f]/g, "")
      }
      return breakKeys.has(part.data) ? utf8ToLatin1(breakMark) : part.data
    })
    .join("")

/** readline's record of the cursor's row, which it uses when it redraws. No public name of Node's sets it. */
interface Rows {
  prevRows: number
}

const open = Effect.gen(function* () {
  const entries = yield* Queue.unbounded<string, Cause.Done>()
  const keys = new PassThrough()
  const editor = yield* Effect.acquireRelease(
    Effect.sync(() => {
      process.stdin.setRawMode(true)
      process.stdout.write(pasteOn)
      return readline.createInterface({ input: keys, output: process.stdout, terminal: true, historySize: 200 })
    }),
    (editor) =>
      Effect.sync(() => {
        clear(editor)
        editor.close()
        process.stdout.write(pasteOff)
        process.stdin.setRawMode(false)
        process.stdin.pause()
      })
  )
  const clock = yield* Clock.Clock
  let scan = InputBytes.start
  const onData = (data: Buffer) => {
    const scanned = InputBytes.classify(scan, toLatin1(data), clock.currentTimeMillisUnsafe())
    scan = scanned.state
    const text = forReadline(scanned.parts)
    if (text !== "") keys.write(Buffer.from(text, "latin1"))
  }
  const onEnd = () => Queue.endUnsafe(entries)
  process.stdin.on("data", onData)
  process.stdin.once("end", onEnd)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      process.stdin.off("data", onData)
      process.stdin.off("end", onEnd)
    })
  )
  let prompt = ""
  /** Prompt and text are cleared, and the cursor is where they began. */
  let blank = true
  const draw = () => {
    blank = false
    editor.prompt(true)
  }
  editor.on("line", (line) => {
    // the consumer prints what was entered, so its rows and the prompt's above them are cleared
    const columns = process.stdout.columns || 80
    const last = prompt.slice(prompt.lastIndexOf("\n") + 1)
    readline.moveCursor(
      process.stdout,
      0,
      -(prompt.split("\n").length + Math.floor((last.length + columnsOf(line)) / columns))
    )
    readline.cursorTo(process.stdout, 0)
    readline.clearScreenDown(process.stdout)
    blank = true
    Queue.offerUnsafe(entries, line.replaceAll(breakMark, "\n"))
  })
  editor.on("SIGINT", () => {
    if (editor.line === "") Queue.endUnsafe(entries)
    else {
      editor.write(null, { ctrl: true, name: "e" })
      editor.write(null, { ctrl: true, name: "u" })
    }
  })
  editor.on("close", () => Queue.endUnsafe(entries))
  return {
    entries: Stream.fromQueue(entries),
    prompt: (text: string) =>
      Effect.sync(() => {
        if (text === prompt && !blank) return
        if (!blank) clear(editor)
        prompt = text
        editor.setPrompt(text)
        draw()
      }),
    print: (line: string) =>
      Effect.sync(() => {
        if (!blank) clear(editor)
        process.stdout.write(`${line}\n`)
        draw()
      })
  }
})

/** Clears all rows of prompt and text; called before either changes, so that their rows are counted correctly. */
const clear = (editor: readline.Interface): void => {
  const { rows } = editor.getCursorPos()
  if (rows > 0) readline.moveCursor(process.stdout, 0, -rows)
  readline.cursorTo(process.stdout, 0)
  readline.clearScreenDown(process.stdout)
  ;(editor as unknown as Rows).prevRows = 0
}

export const layer: Layer.Layer<LinePrompt> = Layer.succeed(LinePrompt, { open })
