import { Effect, Layer, Stream } from "effect"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Output } from "../services/Output.ts"

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    stream.write(text, () => resume(Effect.void))
  })

const bytes = Stream.suspend(() =>
  NodeStream.fromReadable<Uint8Array, never>({ evaluate: () => process.stdin, onError: () => undefined as never, closeOnDone: false })
)

export const layer: Layer.Layer<Output> = Layer.sync(Output, () => {
  // `leap status | head -1`: the reader has what it wanted
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
  const isTerminal = process.stdout.isTTY === true
  return {
    isTerminal,
    inputIsTerminal: process.stdin.isTTY === true,
    colour: isTerminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
    columns: Effect.sync(() => process.stdout.columns || 80),
    line: (text) => write(process.stdout, `${text}\n`),
    raw: (text) => write(process.stdout, text),
    note: (text) => write(process.stderr, `${text}\n`),
    stdin: bytes.pipe(Stream.decodeText(), Stream.runFold(() => "", (all, text) => all + text)),
    stdinLines: bytes.pipe(Stream.decodeText(), Stream.splitLines)
  }
})
