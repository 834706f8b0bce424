import { type Cause, Effect, Layer, Queue, Stream } from "effect"
import * as readline from "node:readline"
import { LinePrompt } from "../services/LinePrompt.ts"

const pasteOn = "\u001b[?2004h"
const pasteOff = "\u001b[?2004l"

const open = Effect.gen(function*() {
  const entries = yield* Queue.unbounded<string, Cause.Done>()
  const editor = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const editor = readline.createInterface({ input: process.stdin, output: process.stdout, terminal: true, historySize: 200 })
      process.stdout.write(pasteOn)
      return editor
    }),
    (editor) =>
      Effect.sync(() => {
        editor.close()
        process.stdout.write(`\r\u001b[K${pasteOff}`)
        process.stdin.pause()
      })
  )
  // readline gives one line event per pasted line: between the paste markers they belong together
  let pasting = false
  let lines: Array<string> = []
  const onKey = (_: string | undefined, key: { readonly name?: string } | undefined) => {
    if (key?.name === "paste-start") pasting = true
    if (key?.name === "paste-end") pasting = false
  }
  process.stdin.on("keypress", onKey)
  yield* Effect.addFinalizer(() => Effect.sync(() => process.stdin.off("keypress", onKey)))
  editor.on("line", (line) => {
    lines.push(line)
    if (pasting) return
    const text = lines.join("\n")
    lines = []
    Queue.offerUnsafe(entries, text)
  })
  editor.on("SIGINT", () => {
    if (editor.line === "" && lines.length === 0) Queue.endUnsafe(entries)
    else {
      lines = []
      editor.write(null, { ctrl: true, name: "e" })
      editor.write(null, { ctrl: true, name: "u" })
    }
  })
  editor.on("close", () => Queue.endUnsafe(entries))
  return {
    entries: Stream.fromQueue(entries),
    prompt: (text: string) =>
      Effect.sync(() => {
        editor.setPrompt(text)
        editor.prompt(true)
      }),
    print: (line: string) =>
      Effect.sync(() => {
        process.stdout.write(`\r\u001b[K${line}\n`)
        editor.prompt(true)
      })
  }
})

export const layer: Layer.Layer<LinePrompt> = Layer.succeed(LinePrompt, { open })
