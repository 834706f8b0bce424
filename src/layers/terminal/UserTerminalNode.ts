import { Effect, Layer, Queue, Stream } from "effect"
import * as fs from "node:fs"
import type { PtySize } from "../../services/Pty.ts"
import { NoTerminalError, UserTerminal } from "../../services/UserTerminal.ts"

/** The parts of standard input and output that a terminal needs: Node's own, or a test's. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream & { readonly fd: number }
  /** Standard error, whose notes go to the same terminal. */
  readonly notes?: NodeJS.WriteStream & { readonly fd: number }
}

const fallbackSize: PtySize = { cols: 80, rows: 24 }
/** The most time at the end for a terminal that takes nothing. */
const leaveTimeout = "2 seconds"
/** Milliseconds in which a job stops after the signal, and in which Node notices a signal. */
const stopDelay = 300
const settling = 50
const endings = ["end", "close", "error"] as const
const fatalSignals = ["SIGHUP", "SIGINT", "SIGTERM", "SIGQUIT"] as const

interface TerminalHandle {
  readonly fd: number
  readonly setBlocking: (on: boolean) => unknown
}

/**
 * Makes writes wait instead of blocking. Node writes to a terminal in one call that lasts until all is taken: a
 * terminal that nobody reads (a stopped ssh, a frozen window) would hold this process in that call, and no signal would
 * be seen. Only a terminal that was opened for this stream is changed; an inherited descriptor is also the shell's.
 */
const unblock = (stream: NodeJS.WriteStream & { readonly fd: number }): void => {
  const { _handle: handle } = stream as { readonly _handle?: Partial<TerminalHandle> | null }
  if (stream.isTTY && handle?.fd !== undefined && handle.fd !== stream.fd) handle.setBlocking?.(false)
}

const make = (streams: TerminalStreams) =>
  Effect.sync(() => {
    const { notes, output } = streams
    /** Restores the terminal if the process ends before finalizers ran. */
    let restoreBytes: string | (() => string) | null = null
    let rawDepth = 0
    let broken = false
    // Without a listener the error of a terminal that hung up would be uncaught.
    const markBroken = (): void => {
      broken = true
    }

    const setRaw = (on: boolean): void => {
      try {
        streams.input.setRawMode(on)
      } catch {
        // The terminal is gone.
      }
    }
    const atExit = (): void => {
      if (rawDepth === 0) return
      try {
        if (restoreBytes !== null)
          fs.writeSync(output.fd, typeof restoreBytes === "string" ? restoreBytes : restoreBytes())
      } catch {
        // The terminal is gone.
      }
      setRaw(false)
    }

    /** Restores the terminal when a signal kills the process; another handler of the signal ends it in order. */
    const onSignal = (signal: NodeJS.Signals): void => {
      if (process.listenerCount(signal) > 1) return
      atExit()
      process.off(signal, onSignal)
      process.kill(process.pid, signal)
    }

    const size = (): PtySize =>
      output.columns > 0 && output.rows > 0 ? { cols: output.columns, rows: output.rows } : fallbackSize

    const write = (data: Uint8Array | string): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (broken || data.length === 0) return Effect.void
        let isTaken = false
        let resume = (): void => {}
        try {
          output.write(data, () => {
            isTaken = true
            resume()
          })
        } catch {
          broken = true
          return Effect.void
        }
        // Terminals take most writes immediately; then there is nothing to wait for.
        if (output.writableLength === 0) return Effect.void
        return Effect.callback<void>((done) => {
          resume = () => done(Effect.void)
          if (isTaken) resume()
        })
      })

    const listen = (take: (data: Uint8Array) => void, end: () => void) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const data = (chunk: Buffer | string): void => take(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
          streams.input.on("data", data)
          for (const event of endings) streams.input.on(event, end)
          streams.input.resume()
          return data
        }),
        (data) =>
          Effect.sync(() => {
            streams.input.off("data", data)
            for (const event of endings) streams.input.off(event, end)
            // A flowing stream keeps the process alive.
            streams.input.pause()
          })
      )

    return UserTerminal.of({
      // Standard input is opened on demand.
      get isTerminal() {
        return output.isTTY === true && streams.input.isTTY === true
      },
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
      raw: Effect.gen(function* () {
        const inputIsTerminal = streams.input.isTTY === true
        const outputIsTerminal = output.isTTY === true
        if (!inputIsTerminal || !outputIsTerminal) {
          return yield* new NoTerminalError({
            which: inputIsTerminal ? "output" : outputIsTerminal ? "input" : "input and output"
          })
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            if (rawDepth++ > 0) return
            process.on("exit", atExit)
            for (const signal of fatalSignals) process.on(signal, onSignal)
            output.on("error", markBroken)
            for (const stream of [output, notes]) if (stream !== undefined) unblock(stream)
            setRaw(true)
          }),
          () =>
            Effect.sync(() => {
              if (--rawDepth > 0) return
              setRaw(false)
              restoreBytes = null
              process.off("exit", atExit)
              for (const signal of fatalSignals) process.off(signal, onSignal)
              output.off("error", markBroken)
            })
        )
      }),
      input: Stream.callback<Uint8Array>((queue) =>
        listen(
          (chunk) => void Queue.offerUnsafe(queue, chunk),
          () => void Queue.endUnsafe(queue)
        )
      ),
      onInput: (take) => Effect.asVoid(listen(take, () => {})),
      write,
      writeNow: (data) => {
        if (broken || output.writableLength > 0) return false
        try {
          output.write(data())
        } catch {
          broken = true
        }
        return true
      },
      restoreOnExit: (bytes) =>
        Effect.sync(() => {
          restoreBytes = bytes
        }),
      leave: (bytes) =>
        write(bytes).pipe(
          Effect.timeoutOption(leaveTimeout),
          Effect.andThen(
            Effect.sync(() => {
              restoreBytes = null
            })
          )
        ),
      suspend: Effect.callback<boolean>((resume) => {
        let timer: NodeJS.Timeout
        const done = (stopped: boolean): void => {
          clearTimeout(timer)
          process.off("SIGCONT", continued)
          // A background job gets no signal of a new size; Node reads the size at this signal.
          process.kill(process.pid, "SIGWINCH")
          timer = setTimeout(() => resume(Effect.succeed(stopped)), settling)
        }
        const continued = (): void => done(true)
        process.on("SIGCONT", continued)
        // If a job was stopped for long, the time is up before the continuing signal is seen.
        timer = setTimeout(() => (timer = setTimeout(() => done(false), settling)), stopDelay)
        // The whole job, including the program that started leap in it. The system ignores the signal if no shell could
        // continue the job.
        process.kill(0, "SIGTSTP")
        return Effect.sync(() => {
          clearTimeout(timer)
          process.off("SIGCONT", continued)
        })
      })
    })
  })

export const layerWith = (streams: TerminalStreams): Layer.Layer<UserTerminal> =>
  Layer.effect(UserTerminal, make(streams))

export const layer: Layer.Layer<UserTerminal> = Layer.suspend(() =>
  layerWith({
    get input() {
      return process.stdin
    },
    output: process.stdout,
    notes: process.stderr
  })
)
