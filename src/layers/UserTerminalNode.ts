import { Effect, Layer, Queue, Stream } from "effect"
import * as fs from "node:fs"
import type { PtySize } from "../services/Pty.ts"
import { NoTerminalError, UserTerminal } from "../services/UserTerminal.ts"

/** Standard input and output as far as a terminal needs them; Node's own, or those of a test. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream & { readonly fd: number }
}

/** The size of a terminal that does not tell its own. */
const fallbackSize: PtySize = { cols: 80, rows: 24 }
/** How long a terminal may take to accept what was written, until it counts as gone. */
const writePatience = "10 seconds"
const deadly = ["SIGHUP", "SIGINT", "SIGTERM", "SIGQUIT"] as const

const make = ({ input, output }: TerminalStreams) =>
  Effect.sync(() => {
    /** What restores the terminal if the process dies before finalizers ran. */
    let lastWords: string | null = null
    let rawDepth = 0
    let broken = false
    // without a listener an error of a terminal that hung up would be uncaught
    const fail = (): void => {
      broken = true
    }

    const setRaw = (on: boolean): void => {
      try {
        input.setRawMode(on)
      } catch {
        // the terminal is gone
      }
    }
    const atExit = (): void => {
      if (rawDepth === 0) return
      try {
        if (lastWords !== null) fs.writeSync(output.fd, lastWords)
      } catch {
        // the terminal is gone
      }
      setRaw(false)
    }

    /** Signals that kill a process which does not listen. Whoever else listens ends the process in good order. */
    const onSignal = (signal: NodeJS.Signals): void => {
      if (process.listenerCount(signal) > 1) return
      atExit()
      process.off(signal, onSignal)
      process.kill(process.pid, signal)
    }

    const size = (): PtySize =>
      output.columns > 0 && output.rows > 0 ? { cols: output.columns, rows: output.rows } : fallbackSize

    return UserTerminal.of({
      isTerminal: input.isTTY === true && output.isTTY === true,
      size: Effect.sync(size),
      sizes: Stream.callback<PtySize>((queue) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const on = (): void => void Queue.offerUnsafe(queue, size())
            output.on("resize", on)
            return on
          }),
          (on) => Effect.sync(() => output.off("resize", on))
        )
      ),
      raw: Effect.gen(function*() {
        const inputIs = input.isTTY === true
        const outputIs = output.isTTY === true
        if (!inputIs || !outputIs) {
          return yield* new NoTerminalError({ which: inputIs ? "output" : outputIs ? "input" : "input and output" })
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            if (rawDepth++ > 0) return
            process.on("exit", atExit)
            for (const signal of deadly) process.on(signal, onSignal)
            output.on("error", fail)
            setRaw(true)
          }),
          () =>
            Effect.sync(() => {
              if (--rawDepth > 0) return
              setRaw(false)
              lastWords = null
              process.off("exit", atExit)
              for (const signal of deadly) process.off(signal, onSignal)
              output.off("error", fail)
            })
        )
      }),
      input: Stream.callback<Uint8Array>((queue) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const data = (chunk: Buffer | string): void =>
              void Queue.offerUnsafe(queue, typeof chunk === "string" ? Buffer.from(chunk) : chunk)
            const end = (): void => void Queue.endUnsafe(queue)
            input.on("data", data)
            input.on("end", end)
            input.on("close", end)
            input.on("error", end)
            input.resume()
            return { data, end }
          }),
          ({ data, end }) =>
            Effect.sync(() => {
              input.off("data", data)
              input.off("end", end)
              input.off("close", end)
              input.off("error", end)
              // a stream that flows keeps the process alive
              input.pause()
            })
        )
      ),
      write: (data) =>
        Effect.callback<void>((resume) => {
          if (broken || data.length === 0) return resume(Effect.void)
          try {
            output.write(data, () => resume(Effect.void))
          } catch {
            broken = true
            resume(Effect.void)
          }
        }).pipe(Effect.timeoutOption(writePatience), Effect.asVoid),
      lastWords: (bytes) =>
        Effect.sync(() => {
          lastWords = bytes
        })
    })
  })

export const layerWith = (streams: TerminalStreams): Layer.Layer<UserTerminal> => Layer.effect(UserTerminal, make(streams))

export const layer: Layer.Layer<UserTerminal> = Layer.suspend(() => layerWith({ input: process.stdin, output: process.stdout }))
