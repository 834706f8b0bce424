import { Effect, Layer, Stream } from "effect"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { lostOutput } from "../../domain/words/wording/lostOutput.ts"
import { utf8Text } from "../../domain/words/text/utf8Text.ts"
import { InputNotTextError, Output } from "../../services/Output.ts"
import { hasPipelineWriter, sharedOutput, watchReader } from "./pipeEnds.ts"

/** The exit code of a program ended by SIGPIPE. */
const brokenPipe = 141

/** Longer than any message; input beyond it is not read. */
const inputLimit = 16 << 20

/** Milliseconds of waiting for input that no pipeline writes, if the command can go on without it. */
const timeout = 3_000

/** Milliseconds between two checks for a reader. */
const readerInterval = 1_000

const bytes = Stream.suspend(() =>
  NodeStream.fromReadable<Uint8Array, never>({
    evaluate: () => process.stdin,
    onError: () => undefined as never,
    closeOnDone: false
  })
)

const stdin = Stream.suspend(() => {
  let read = 0
  return bytes.pipe(Stream.takeWhile((chunk) => (read += chunk.length) <= inputLimit + chunk.length))
}).pipe(
  Stream.runCollect,
  Effect.flatMap((chunks) => {
    const bytes = Buffer.concat(chunks)
    const text = utf8Text(bytes)
    if (typeof text === "string") return Effect.succeed(text)
    // Beyond the limit the input is cut, which may be within a character.
    const isCut = bytes.length > inputLimit && bytes.length - text.at < 3
    return isCut ? Effect.succeed(bytes.toString("utf8", 0, text.at - 1)) : new InputNotTextError(text)
  })
)

const readable = Effect.callback<void>((resume) => {
  const wake = () => resume(Effect.void)
  const events = ["readable", "end", "error"] as const
  for (const event of events) process.stdin.once(event, wake)
  return Effect.sync(() => {
    for (const event of events) process.stdin.off(event, wake)
  })
})

/** Whether to wait for standard input. If not, a note reports input that comes after all. */
const somethingComes: Effect.Effect<boolean> = Effect.gen(function* () {
  const early = yield* Effect.timeoutOption(readable, timeout)
  if (early._tag === "Some") return true
  if (hasPipelineWriter()) {
    if (process.stderr.isTTY) process.stderr.write("leap: waiting for the end of standard input\n")
    return true
  }
  const late = () => {
    if (process.stdin.read() === null) return
    process.stdin.off("readable", late)
    process.stderr.write(`leap: what came on standard input after ${timeout / 1_000} s was not read\n`)
  }
  process.stdin.on("readable", late)
  process.stdin.unref()
  return false
})

/** Completes when the reader of standard output is gone, even if nothing is written meanwhile. */
const readerGone: Effect.Effect<number> = Effect.gen(function* () {
  const isGone = watchReader()
  if (isGone === null) return yield* Effect.never
  while (!isGone()) yield* Effect.sleep(readerInterval)
  return brokenPipe
})

export const layer: Layer.Layer<Output> = Layer.sync(Output, () => {
  const waiting = new Set<(code: number) => void>()
  // `leap status | head -1`: the reader has what it needs.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") return
    if (waiting.size === 0) process.exit(0)
    for (const wake of waiting) wake(brokenPipe)
  })
  const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
        // A reader that closed the pipe has what it needs. If the terminal is gone, no message is possible, and its
        // hang-up ends the program in order. Any other lost output is a failure.
        const isGone = error?.code === "EPIPE" || (error?.code === "EIO" && process.stdout.isTTY)
        if (error && !isGone && stream === process.stdout) {
          process.stderr.write(lostOutput(error.message, text), () => {
            if (waiting.size === 0) process.exit(1)
            for (const wake of waiting) wake(1)
          })
        } else resume(Effect.void)
      })
    })
  const isTerminal = process.stdout.isTTY === true
  return {
    isTerminal,
    // Node creates this stream on demand, and few commands use it.
    get inputIsTerminal() {
      return process.stdin.isTTY === true
    },
    errorIsTerminal: process.stderr.isTTY === true,
    outputClosed: Effect.raceFirst(
      readerGone,
      Effect.callback<number>((resume) => {
        const wake = (code: number) => resume(Effect.succeed(code))
        waiting.add(wake)
        return Effect.sync(() => void waiting.delete(wake))
      })
    ),
    colour: isTerminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
    columns: Effect.sync(() => process.stdout.columns || 80),
    sharedWith: Effect.sync(sharedOutput),
    line: (text) => write(process.stdout, `${text}\n`),
    raw: (text) => write(process.stdout, text),
    note: (text) => write(process.stderr, `${text}\n`),
    stdin,
    piped: Effect.suspend(() =>
      process.stdin.isTTY === true
        ? Effect.succeed("")
        : Effect.flatMap(somethingComes, (comes) => (comes ? stdin : Effect.succeed("")))
    ),
    stdinText: Stream.decodeText(bytes)
  }
})
