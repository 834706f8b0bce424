import {
  Cause,
  Clock,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FileSystem,
  Latch,
  Option,
  Queue,
  Semaphore,
  Stream
} from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import type { CliRunInput } from "../../../domain/cli/agents/RunDecoder.ts"
import * as OutputTail from "../../../domain/cli/agents/OutputTail.ts"
import type { TimeOut } from "../../../domain/cli/agents/RunFailure.ts"
import type { ProcessKey } from "../../../domain/places/spool/HookOrigin.ts"
import { ProcessTable } from "../../../services/ProcessTable.ts"
import { watchDeath } from "./deathWatch.ts"
import { endStrays } from "./strays.ts"

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
  readonly grace: number
  /** How long it may be silent behind the end of its work before it is made to end. */
  readonly linger: number
  /**
   * Its standard output is this file, which is read as it grows; null: a pipe. Some programs end without waiting until a
   * pipe has taken all that they print.
   */
  readonly outputFile: string | null
  /**
   * A variable of its environment that no other run has: by it the processes that it starts are found, wherever they
   * have gone.
   */
  readonly mark: { readonly variable: string; readonly value: string }
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  /** The last part of standard error. */
  readonly stderr: string
  /** The time limit for which it was made to end, from `at` on, if any. */
  readonly timeOut: (TimeOut & { readonly at: number }) | null
  /** How long it was silent behind the end of its work until it was made to end; null: it was not. Milliseconds. */
  readonly lingered: number | null
}

export interface AgentProcess {
  readonly pid: number
  /** What it prints, until it has ended or has closed its output. */
  readonly output: Stream.Stream<Extract<CliRunInput, { readonly _tag: "Printed" }>>
  /** How it ended. Run this when the output has ended: a process that does not end soon after that is made to. */
  readonly end: Effect.Effect<ProcessEnd>
  /** Says whether its work is over: a process that is silent then, and does not end, is made to. */
  readonly setOver: (isOver: boolean) => void
}

/** Kept of standard error, in bytes. */
const stderrLength = 16_384
/** How long the output must be silent, after its program has ended, to be taken for ended too. */
const silence = Duration.seconds(1)
/** How long a program may take to end after it has closed its output. */
const exitWait = Duration.seconds(10)
/** Pieces of output that wait to be read; the program waits when there are more. */
const unreadPieces = 16

/** How often a file is read to which a program prints, in milliseconds; and how much at once. */
const fileInterval = 50
const pieceSize = 64 << 10

/** How long a group that was killed is waited for, in milliseconds. */
const killWait = 1_000

const signalIn = /'(SIG[A-Z0-9]+)'/

const endOf = (exit: Exit.Exit<number, unknown>): Pick<ProcessEnd, "code" | "signal"> =>
  Exit.isSuccess(exit)
    ? { code: exit.value, signal: null }
    : { code: null, signal: signalIn.exec(Cause.pretty(exit.cause))?.[1] ?? "a signal" }

/** The program and its arguments, with its standard output put into a file where it has one. */
const commandOf = ({ args, command, outputFile }: ProcessSpec): readonly [string, ReadonlyArray<string>] =>
  outputFile === null
    ? [command, args]
    : ["/bin/sh", ["-c", 'out=$1; shift; exec "$@" >> "$out"', "sh", outputFile, command, ...args]]

/** Reads what was appended to a file since the last time; one reader at a time. */
const appended = (path: string, offer: (bytes: Uint8Array) => Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const file = yield* (yield* FileSystem.FileSystem).open(path, { flag: "r" })
    const one = yield* Semaphore.make(1)
    const read = Effect.gen(function* () {
      for (;;) {
        const bytes = yield* file.readAlloc(pieceSize)
        if (Option.isNone(bytes)) return
        yield* offer(bytes.value)
      }
    })
    return one.withPermits(1)(Effect.ignore(read))
  })

/**
 * Starts a program in a process group of its own, which ends with the scope: interrupted first, as a user would, then
 * told to terminate, then killed. Signals go to the whole group, since some programs only pass their work on to a
 * child. What it has started in other groups ends with it too, unless it came to its end by itself and in order. All of
 * it ends, too, when leap dies without being able to do so.
 */
export const startProcess = Effect.fn("agents.startProcess")(function* (spec: ProcessSpec) {
  const { grace, idleTimeout, linger, mark, timeout } = spec
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const table = yield* ProcessTable
  const exited = yield* Deferred.make<Pick<ProcessEnd, "code" | "signal">>()
  const hasExited = () => Deferred.isDoneUnsafe(exited)
  let interrupted = false
  let family: ReadonlyArray<ProcessKey> = []
  let started = false
  const toEnd = yield* watchDeath(mark, grace)
  // finalizers run last to first: this one runs after the spawner's own, which ends the group
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      if (!started) return
      const inOrder = !interrupted && hasExited() && (yield* Deferred.await(exited)).code === 0
      if (!inOrder) yield* endStrays(table, mark, family, grace)
    })
  )
  const [program, args] = commandOf(spec)
  const handle = yield* spawner.spawn(
    ChildProcess.make(program, args, {
      cwd: spec.cwd,
      env: { ...spec.env },
      extendEnv: false,
      stdin: spec.stdin === null ? "ignore" : Stream.make(new TextEncoder().encode(spec.stdin)),
      killSignal: "SIGTERM",
      forceKillAfter: grace
    })
  )
  started = true
  yield* Effect.exit(handle.exitCode).pipe(
    Effect.flatMap((exit) => Deferred.succeed(exited, endOf(exit))),
    Effect.forkScoped
  )
  const interrupt = Effect.gen(function* () {
    if (hasExited()) return
    interrupted = true
    // while it lives, its children are known by it, even those whose environment is another
    family = yield* table.family(handle.pid, mark.variable, mark.value)
    yield* Effect.interruptible(handle.kill({ killSignal: "SIGINT" }).pipe(Effect.timeoutOption(grace), Effect.ignore))
  })
  const [leader] = yield* table.ancestry(handle.pid)
  if (leader !== undefined) yield* toEnd(leader)
  /**
   * The dead whom nobody buries, as under an init that is none, count as living for the spawner, which would wait for
   * them. Where a run has ended in order and the group has no other member left, there is nothing to end.
   */
  const endGroup = Effect.gen(function* () {
    if (leader === undefined || !hasExited() || (yield* Deferred.await(exited)).code !== 0) return
    const { left } = yield* table.end({ _tag: "Group", leader, mark: null }, [
      { signal: "SIGTERM", patience: grace },
      { signal: "SIGKILL", patience: killWait }
    ])
    if (left.length === 0) yield* Effect.ignore(handle.unref)
  })
  const terminate = Effect.andThen(
    interrupt,
    Effect.suspend(() =>
      hasExited() ? Effect.void : Effect.ignore(handle.kill({ killSignal: "SIGTERM", forceKillAfter: grace }))
    )
  )
  // these run before the spawner's own, which ends what is left of the group; the interrupt is first
  yield* Effect.addFinalizer(() => endGroup)
  yield* Effect.addFinalizer(() => interrupt)

  const queue = yield* Queue.bounded<{ readonly from: "stdout" | "stderr"; readonly bytes: Uint8Array }, Cause.Done>(
    unreadPieces
  )
  let stderr = OutputTail.noOutput
  let lastActivity = yield* Clock.currentTimeMillis
  let pieces = 0
  const noteActivity = Effect.map(Clock.currentTimeMillis, (now) => {
    lastActivity = now
    pieces++
  })
  const offerStdout = (bytes: Uint8Array) => Effect.andThen(Queue.offer(queue, { from: "stdout", bytes }), noteActivity)
  const readFile = spec.outputFile === null ? Effect.void : yield* appended(spec.outputFile, offerStdout)
  const readStdout =
    spec.outputFile === null
      ? Effect.ignore(Stream.runForEach(handle.stdout, offerStdout))
      : Effect.gen(function* () {
          for (let last = false; !last;) {
            // what it wrote before it exited is there now
            last = hasExited()
            yield* readFile
            if (!last) yield* Effect.sleep(fileInterval)
          }
        })
  yield* readStdout.pipe(Effect.andThen(Queue.end(queue)), Effect.forkScoped)
  const stderrReader = yield* Stream.runForEach(handle.stderr, (bytes) =>
    Effect.gen(function* () {
      // what it printed before that comes before that
      yield* readFile
      stderr = OutputTail.append(stderr, bytes, stderrLength)
      yield* Queue.offer(queue, { from: "stderr", bytes })
      yield* noteActivity
    })
  ).pipe(Effect.ignore, Effect.forkScoped)
  // a process that it left behind may hold the output open for ever
  yield* Effect.gen(function* () {
    yield* Deferred.await(exited)
    for (let before = -1; before !== pieces || (yield* Queue.size(queue)) > 0;) {
      before = pieces
      yield* Effect.sleep(silence)
    }
    yield* Queue.end(queue)
  }).pipe(Effect.forkScoped)

  /** Returns when it has been silent for so long; while output waits to be read, the reader is slow, not the program. */
  const silentFor = (span: number, due: Effect.Effect<void> = Effect.void) =>
    Effect.gen(function* () {
      for (;;) {
        yield* due
        const now = yield* Clock.currentTimeMillis
        if ((yield* Queue.size(queue)) > 0) lastActivity = now
        if (now - lastActivity >= span) return
        yield* Effect.sleep(span - (now - lastActivity))
      }
    })
  let timeOut: ProcessEnd["timeOut"] = null
  const endFor = (limit: TimeOut) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => {
      timeOut ??= { ...limit, at }
      return terminate
    })
  if (timeout !== null)
    yield* Effect.sleep(timeout).pipe(Effect.andThen(endFor({ afterMs: timeout, idle: false })), Effect.forkScoped)
  if (idleTimeout !== null)
    yield* silentFor(idleTimeout).pipe(Effect.andThen(endFor({ afterMs: idleTimeout, idle: true })), Effect.forkScoped)
  const over = yield* Latch.make(false)
  let lingered: number | null = null
  yield* silentFor(linger, over.await).pipe(
    Effect.andThen(
      Effect.suspend(() => {
        if (hasExited()) return Effect.void
        lingered = linger
        return terminate
      })
    ),
    Effect.forkScoped
  )

  return {
    pid: handle.pid,
    output: Stream.fromQueue(queue).pipe(
      Stream.mapArrayEffect(([first, ...others]) =>
        Effect.map(
          Clock.currentTimeMillis,
          (at) =>
            [
              { _tag: "Printed", ...first, at } as const,
              ...others.map((piece) => ({ _tag: "Printed", ...piece, at }) as const)
            ] as const
        )
      )
    ),
    end: Effect.gen(function* () {
      yield* Effect.timeoutOrElse(Deferred.await(exited), { duration: exitWait, orElse: () => terminate })
      const ended = yield* Deferred.await(exited)
      yield* Effect.timeoutOption(Fiber.await(stderrReader), silence)
      return { ...ended, stderr: OutputTail.textOf(stderr), timeOut, lingered }
    }),
    setOver: (isOver) => void (isOver ? over.openUnsafe() : over.closeUnsafe())
  } satisfies AgentProcess
})
