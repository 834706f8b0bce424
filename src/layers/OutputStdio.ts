import { Effect, Layer, Stream } from "effect"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Output } from "../services/Output.ts"

/** As a program that SIGPIPE has ended. */
const brokenPipe = 141

/** No message is as long as this; what is beyond is not read. */
const inputLimit = 16 << 20

const bytes = Stream.suspend(() =>
  NodeStream.fromReadable<Uint8Array, never>({ evaluate: () => process.stdin, onError: () => undefined as never, closeOnDone: false })
)

export const layer: Layer.Layer<Output> = Layer.sync(Output, () => {
  // `leap status | head -1`: the reader has what it wanted
  const waiting = new Set<(code: number) => void>()
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") return
    if (waiting.size === 0) process.exit(0)
    for (const wake of waiting) wake(brokenPipe)
  })
  const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
        // a reader that went away has what it wanted; an output that is lost is no success
        if (error && error.code !== "EPIPE" && stream === process.stdout) {
          process.stderr.write(`leap: the output could not be written: ${error.message}\n`, () => {
            if (waiting.size === 0) process.exit(1)
            for (const wake of waiting) wake(1)
          })
        } else resume(Effect.void)
      })
    })
  const isTerminal = process.stdout.isTTY === true
  return {
    isTerminal,
    inputIsTerminal: process.stdin.isTTY === true,
    notesAreSeen: process.stderr.isTTY === true,
    readerGone: Effect.callback<number>((resume) => {
      const wake = (code: number) => resume(Effect.succeed(code))
      waiting.add(wake)
      return Effect.sync(() => void waiting.delete(wake))
    }),
    colour: isTerminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
    columns: Effect.sync(() => process.stdout.columns || 80),
    line: (text) => write(process.stdout, `${text}\n`),
    raw: (text) => write(process.stdout, text),
    note: (text) => write(process.stderr, `${text}\n`),
    stdin: Stream.suspend(() => {
      let read = 0
      return bytes.pipe(Stream.takeWhile((chunk) => (read += chunk.length) <= inputLimit + chunk.length))
    }).pipe(Stream.decodeText(), Stream.runFold(() => "", (all, text) => all + text)),
    stdinText: Stream.decodeText(bytes)
  }
})
