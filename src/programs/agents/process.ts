import { Cause, Clock, Deferred, Duration, Effect, Exit, Fiber, Queue, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import type { ProcessKey } from "../../domain/HookOrigin.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"

/** A program to run without a terminal. Times are in milliseconds. */
export interface ProcessSpec {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** What it reads; null: nothing. */
  readonly stdin: string | null
  readonly timeout: number | null
  readonly idleTimeout: number | null
  /** Between an interrupt, SIGTERM and SIGKILL. */
  readonly patience: number
  /** Its standard error is read as it comes too. */
  readonly hearsErrors: boolean
  /** A variable of its environment that no other run has: what it starts can be told by it, wherever that has gone. */
  readonly mark: { readonly variable: string; readonly value: string }
}

/** Why it was made to end. */
export interface Overdue {
  readonly afterMs: number
  readonly idle: boolean
}

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  /** The last part of standard error. */
  readonly stderr: string
  readonly overdue: Overdue | null
}

/** A piece of what it printed. */
export interface Printed {
  readonly from: "out" | "err"
  readonly bytes: Uint8Array
}

export interface AgentProcess {
  /** What it printed, in pieces; done when it has ended, or holds its output no longer. Standard error only where that was asked for. */
  readonly output: Effect.Effect<ReadonlyArray<Printed>, Cause.Done>
  /** How it ended. What has not ended by itself soon after its output is made to. */
  readonly end: Effect.Effect<ProcessEnd>
}

/** Kept of standard error, in bytes. */
const stderrLength = 16_384
/** Silence of an output whose program has ended. */
const lull = Duration.seconds(1)
/** From the end of its output to its own. */
const farewell = Duration.seconds(10)

/** How often processes that were told to end are looked at, and how long for those that were killed. In milliseconds. */
const look = 50
const killed = 1_000

const signalIn = /'(SIG[A-Z0-9]+)'/

/** The last bytes of what comes. */
const tail = () => {
  let kept: ReadonlyArray<Uint8Array> = []
  let size = 0
  return {
    add: (chunk: Uint8Array): void => {
      kept = [...kept, chunk.length > stderrLength ? chunk.slice(-stderrLength) : chunk]
      size += Math.min(chunk.length, stderrLength)
      while (kept.length > 1 && size - (kept[0]?.length ?? 0) >= stderrLength) {
        size -= kept[0]?.length ?? 0
        kept = kept.slice(1)
      }
    },
    text: (): string => {
      const decoder = new TextDecoder()
      return kept.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
    }
  }
}

/** Ends what is left of a run, in whatever group or session of its own: told to terminate, then killed. `known`: seen before. */
const endStrays = Effect.fnUntraced(function*(table: ProcessTable["Service"], { mark, patience }: ProcessSpec, known: ReadonlyArray<ProcessKey>) {
  for (const [signal, wait] of [["SIGTERM", patience], ["SIGKILL", killed], ["SIGKILL", killed]] as const) {
    const now = yield* table.family(null, mark.variable, mark.value)
    const all = [...known.filter(({ pid }) => now.every((other) => other.pid !== pid)), ...now]
    let left = yield* Effect.filter(all, (process) => table.signal(process, signal))
    for (let waited = 0; left.length > 0 && waited < wait; waited += look) {
      yield* Effect.sleep(look)
      left = yield* Effect.filter(left, (process) => table.signal(process, 0))
    }
    if (left.length === 0) return
  }
  yield* Effect.logWarning("processes of a headless run could not be ended")
})

/**
 * Starts a program in a process group of its own, which ends with the scope: interrupted first, as a user would, then told
 * to terminate, then killed. Signals go to the whole group, since some programs only pass their work on to a child. What it
 * has started in other groups ends with it too, unless it came to its end by itself and in order.
 */
export const startProcess = Effect.fn("agents.startProcess")(function*(spec: ProcessSpec) {
  const { idleTimeout, mark, patience, timeout } = spec
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const table = yield* ProcessTable
  const exited = yield* Deferred.make<Pick<ProcessEnd, "code" | "signal">>()
  let forced = false
  let family: ReadonlyArray<ProcessKey> = []
  let started = false
  // behind the spawner's own, which ends the group
  yield* Effect.addFinalizer(() => Effect.gen(function*() {
    if (!started) return
    const inOrder = !forced && Deferred.isDoneUnsafe(exited) && (yield* Deferred.await(exited)).code === 0
    if (!inOrder) yield* endStrays(table, spec, family)
  }))
  const handle = yield* spawner.spawn(ChildProcess.make(spec.command, spec.args, {
    cwd: spec.cwd,
    env: { ...spec.env },
    extendEnv: false,
    stdin: spec.stdin === null ? "ignore" : Stream.make(new TextEncoder().encode(spec.stdin)),
    killSignal: "SIGTERM",
    forceKillAfter: patience
  }))
  started = true
  yield* Effect.exit(handle.exitCode).pipe(
    Effect.flatMap((exit) => Deferred.succeed(exited, Exit.isSuccess(exit)
      ? { code: exit.value, signal: null }
      : { code: null, signal: signalIn.exec(Cause.pretty(exit.cause))?.[1] ?? "a signal" })),
    Effect.forkScoped
  )
  const interrupt = Effect.gen(function*() {
    if (Deferred.isDoneUnsafe(exited)) return
    forced = true
    // while it lives, its children are known by it, even those whose environment is another
    family = yield* table.family(handle.pid, mark.variable, mark.value)
    yield* Effect.interruptible(handle.kill({ killSignal: "SIGINT" }).pipe(Effect.timeoutOption(patience), Effect.ignore))
  })
  const terminate = Effect.andThen(interrupt, Effect.suspend(() => Deferred.isDoneUnsafe(exited)
    ? Effect.void
    : Effect.ignore(handle.kill({ killSignal: "SIGTERM", forceKillAfter: patience }))))
  // before the spawner's own, which takes what is left of the group
  yield* Effect.addFinalizer(() => interrupt)

  const queue = yield* Queue.bounded<Printed, Cause.Done>(16)
  const errors = tail()
  let seen = yield* Clock.currentTimeMillis
  let chunks = 0
  const sign = Effect.map(Clock.currentTimeMillis, (now) => {
    seen = now
    chunks++
  })
  yield* Stream.runForEach(handle.stdout, (bytes) => Effect.andThen(Queue.offer(queue, { from: "out", bytes }), sign)).pipe(
    Effect.ignore, Effect.andThen(Queue.end(queue)), Effect.forkScoped
  )
  const stderr = yield* Stream.runForEach(handle.stderr, (bytes) => Effect.gen(function*() {
    errors.add(bytes)
    if (spec.hearsErrors) yield* Queue.offer(queue, { from: "err", bytes })
    yield* sign
  })).pipe(
    Effect.ignore, Effect.forkScoped
  )
  // a process that it left behind may hold the output open for ever
  yield* Effect.gen(function*() {
    yield* Deferred.await(exited)
    for (let before = -1; before !== chunks || (yield* Queue.size(queue)) > 0;) {
      before = chunks
      yield* Effect.sleep(lull)
    }
    yield* Queue.end(queue)
  }).pipe(Effect.forkScoped)

  let overdue: Overdue | null = null
  const end = (reason: Overdue) => Effect.suspend(() => {
    overdue ??= reason
    return terminate
  })
  if (timeout !== null) yield* Effect.sleep(timeout).pipe(Effect.andThen(end({ afterMs: timeout, idle: false })), Effect.forkScoped)
  if (idleTimeout !== null) {
    yield* Effect.gen(function*() {
      for (;;) {
        const now = yield* Clock.currentTimeMillis
        // what lies there unread is no silence of the program's
        if ((yield* Queue.size(queue)) > 0) seen = now
        if (now - seen >= idleTimeout) return yield* end({ afterMs: idleTimeout, idle: true })
        yield* Effect.sleep(idleTimeout - (now - seen))
      }
    }).pipe(Effect.forkScoped)
  }

  return {
    output: Queue.takeAll(queue),
    end: Effect.gen(function*() {
      yield* Effect.timeoutOrElse(Deferred.await(exited), { duration: farewell, orElse: () => terminate })
      const ended = yield* Deferred.await(exited)
      yield* Effect.timeoutOption(Fiber.await(stderr), lull)
      return { ...ended, stderr: errors.text(), overdue }
    })
  } satisfies AgentProcess
})
