import { Context, Deferred, Effect, Layer, Queue, Stream } from "effect"
import { makeOutlet } from "../../../src/layers/terminal/outlet.ts"
import type { ExitStatus } from "../../../src/domain/words/session/Session.ts"
import { Pty, type PtyHandle, type PtyOptions, type PtySize, PtySpawnError } from "../../../src/services/Pty.ts"

/** The far end of one fake terminal: what the child would do, and what was done to it. */
export interface FakeChild {
  readonly pid: number
  readonly options: PtyOptions
  /** Prints UTF-8 text or bytes. */
  readonly print: (data: string | Uint8Array) => Effect.Effect<void>
  /** The same, for children that are no Effects. */
  readonly printUnsafe: (data: string | Uint8Array) => void
  readonly exit: (status: number | ExitStatus) => Effect.Effect<void>
  /** All that was written to it so far, as latin1 bytes. */
  readonly written: () => string
  /** Each write by itself, in order. */
  readonly writes: () => ReadonlyArray<string>
  /** Takes what is written from now on as it comes (latin1); for children that answer. */
  readonly input: Stream.Stream<string>
  readonly sizes: () => ReadonlyArray<PtySize>
  /** Takes the sizes that it is given from now on. */
  readonly resizes: Stream.Stream<PtySize>
  readonly signals: () => ReadonlyArray<string>
  /** It stops itself, until it is continued; `silently`: the system tells nobody, as of what a launcher has started. */
  readonly stop: (how?: "silently") => void
  /** How often it was looked at whether it is stopped. */
  readonly looks: () => number
  /** From now on a look takes a program, as it does where there is no /proc: it takes time, and its end is a stir. */
  readonly lookByProgram: () => void
  /** Its scope has ended. */
  readonly released: () => boolean
}

/** Controls for tests that run on fake terminals. */
export class PtyFake extends Context.Service<
  PtyFake,
  {
    readonly children: () => ReadonlyArray<FakeChild>
    /** The next child that is spawned, or the first that nobody took yet. */
    readonly next: Effect.Effect<FakeChild>
    /** The next spawn fails with this reason. */
    readonly failNext: (why: string) => Effect.Effect<void>
    /** Signals that children ignore from now on (a kill is never ignored). */
    readonly ignoreSignals: (names: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("test/PtyFake") {}

const toBytes = (data: string | Uint8Array): Uint8Array =>
  typeof data === "string" ? new TextEncoder().encode(data) : Uint8Array.from(data)

/** Pseudo-terminals in which the test's programs run. */
export const layer: Layer.Layer<Pty | PtyFake> = Layer.effectContext(
  Effect.gen(function* () {
    const children: Array<FakeChild> = []
    const spawned = yield* Queue.unbounded<FakeChild>()
    const failures: Array<string> = []
    let ignored: ReadonlyArray<string> = []

    const start = Effect.fnUntraced(function* (options: PtyOptions) {
      const output = makeOutlet()
      const input = yield* Queue.unbounded<string>()
      const resizes = yield* Queue.unbounded<PtySize>()
      const stirs = yield* Queue.unbounded<void>()
      const exited = yield* Deferred.make<ExitStatus>()
      const writes: Array<string> = []
      const sizes: Array<PtySize> = [options.size]
      const signals: Array<string> = []
      let gone = false
      let released = false
      let stopped = false
      const exit = (status: ExitStatus): Effect.Effect<void> =>
        Effect.suspend(() => {
          if (gone) return Effect.void
          gone = true
          return Effect.andThen(Effect.sync(output.end), Deferred.succeed(exited, status))
        })
      const signal = (name: string): Effect.Effect<void> =>
        Effect.suspend(() => {
          if (gone) return Effect.void
          signals.push(name)
          if (name === "SIGCONT") {
            stopped = false
            return Effect.void
          }
          return name !== "SIGKILL" && ignored.includes(name) ? Effect.void : exit({ code: null, signal: name })
        })
      const write = (data: Uint8Array): number => {
        if (gone || data.length === 0) return data.length
        const text = Buffer.from(data).toString("latin1")
        writes.push(text)
        Queue.offerUnsafe(input, text)
        return data.length
      }
      let looks = 0
      let looksByProgram = false
      const handle: PtyHandle = {
        pid: 1000 + children.length,
        follow: output.follow,
        write: (data) => Effect.sync(() => void write(data)),
        writeNow: write,
        resize: (size) =>
          Effect.sync(() => {
            if (gone) return
            sizes.push(size)
            Queue.offerUnsafe(resizes, size)
          }),
        signal,
        stirs: Stream.fromQueue(stirs),
        resume: Effect.gen(function* () {
          looks++
          if (looksByProgram) {
            yield* Effect.sleep("10 millis")
            Queue.offerUnsafe(stirs, undefined)
          }
          const was = stopped && !gone
          stopped = false
          if (was) signals.push("SIGCONT")
          return was
        }),
        exit: Deferred.await(exited)
      }
      const printUnsafe = (data: string | Uint8Array): void => {
        if (!gone) output.give(toBytes(data))
      }
      const child: FakeChild = {
        pid: handle.pid,
        options,
        print: (data) => Effect.sync(() => printUnsafe(data)),
        printUnsafe,
        exit: (status) => exit(typeof status === "number" ? { code: status, signal: null } : status),
        written: () => writes.join(""),
        writes: () => writes,
        input: Stream.fromQueue(input),
        sizes: () => sizes,
        resizes: Stream.fromQueue(resizes),
        signals: () => signals,
        stop: (how) => {
          stopped = true
          if (how !== "silently") Queue.offerUnsafe(stirs, undefined)
        },
        looks: () => looks,
        lookByProgram: () => void (looksByProgram = true),
        released: () => released
      }
      children.push(child)
      yield* Queue.offer(spawned, child)
      return {
        handle,
        release: Effect.andThen(
          signal("SIGHUP"),
          Effect.andThen(
            signal("SIGKILL"),
            Effect.sync(() => void (released = true))
          )
        )
      }
    })

    const pty = Pty.of({
      spawn: (options) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            const why = failures.shift()
            return why === undefined
              ? start(options)
              : Effect.fail(new PtySpawnError({ command: options.command, why }))
          }),
          ({ release }) => release
        ).pipe(Effect.map(({ handle }) => handle))
    })
    return Context.make(Pty, pty).pipe(
      Context.add(PtyFake, {
        children: () => children,
        next: Queue.take(spawned),
        failNext: (why) => Effect.sync(() => void failures.push(why)),
        ignoreSignals: (names) =>
          Effect.sync(() => {
            ignored = names
          })
      })
    )
  })
)
