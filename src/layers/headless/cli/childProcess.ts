import {
  Array,
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
import type { CliRunInput } from "../../../domain/cli/headless/RunDecoder.ts"
import * as OutputTail from "../../../domain/cli/headless/OutputTail.ts"
import type { TimeOut } from "../../../domain/cli/headless/RunFailure.ts"
import type { ProcessKey } from "../../../domain/store/hookSpool/HookOrigin.ts"
import { ProcessTable } from "../../../services/ProcessTable.ts"
import { watchDeath, endOrphans } from "./deathWatch.ts"

export interface ProcessSpec {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Its input; null: none. */
  readonly stdin: string | null
  readonly timeout: number | null
  readonly idleTimeout: number | null
  /** Milliseconds between an interrupt, SIGTERM and SIGKILL. */
  readonly grace: number
  /** Milliseconds of silence after the end of its work, before it is ended. */
  readonly linger: number
  /**
   * Standard output goes to this file, which is read as it grows; null: a pipe. Some programs exit before a pipe has
   * taken all their output.
   */
  readonly outputFile: string | null
  /** A unique variable of the run's environment: it identifies the processes that it starts, in any group. */
  readonly mark: { readonly variable: string; readonly value: string }
}

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
  /** The time limit that ended it, from `at` on, if any. */
  readonly timeOut: (TimeOut & { readonly at: number }) | null
  /** Milliseconds of silence after the end of its work, before it was ended; null: it was not. */
  readonly lingered: number | null
}

export interface AgentProcess {
  readonly pid: number
  readonly output: Stream.Stream<Extract<CliRunInput, { readonly _tag: "Printed" }>>
  /** How the process ended. Run this after the output's end: a process that does not exit soon is then ended. */
  readonly end: Effect.Effect<ProcessEnd>
  /** Marks its work as over. From then on, a process that is silent and does not exit is ended. */
  readonly setOver: (isOver: boolean) => void
}

/** The most bytes of standard error that are kept. */
const stderrLength = 16_384
/** The silence after the program's exit after which its output counts as ended. */
const silence = Duration.seconds(1)
/** The most time for a program's exit after it has closed its output. */
const exitWait = Duration.seconds(10)
/** The limit of unread pieces of output; beyond this the program waits. */
const unreadPieces = 16

/** The interval in milliseconds of reads from an output file, and the size of one read. */
const fileInterval = 50
const pieceSize = 64 << 10

/** The wait for a killed group, in milliseconds. */
const killWait = 1_000

const signalIn = /'(SIG[A-Z0-9]+)'/

const endOf = (exit: Exit.Exit<number, unknown>): Pick<ProcessEnd, "code" | "signal"> =>
  Exit.isSuccess(exit)
    ? { code: exit.value, signal: null }
    : { code: null, signal: signalIn.exec(Cause.pretty(exit.cause))?.[1] ?? "a signal" }

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
 * Starts a program in its own process group. When the scope closes, the whole group (some programs only pass their work
 * on to a child) is interrupted as by a user, then terminated, then killed. Its processes in other groups are ended
 * too, unless the program exited by itself and in order. All of them are also ended if leap dies without cleaning up.
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
  // Finalizers run last to first: this one runs after the spawner's own, which ends the group.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      if (!started) return
      const inOrder = !interrupted && hasExited() && (yield* Deferred.await(exited)).code === 0
      if (!inOrder) yield* endOrphans(table, mark, family, grace)
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
  // A table of processes may take a second to say more of it.
  yield* toEnd({ pid: handle.pid, birth: null })
  yield* Effect.exit(handle.exitCode).pipe(
    Effect.flatMap((exit) => Deferred.succeed(exited, endOf(exit))),
    Effect.forkScoped
  )
  const interrupt = Effect.gen(function* () {
    if (hasExited()) return
    interrupted = true
    // The look through all processes takes a moment, in which it would ask its model again.
    if (leader !== undefined) yield* table.signalGroup(leader, "SIGSTOP")
    // While the process lives, it identifies its children, even those with another environment.
    family = yield* table.family(handle.pid, mark.variable, mark.value)
    const ended = handle.kill({ killSignal: "SIGINT" }).pipe(Effect.timeoutOption(grace), Effect.ignore)
    const going = leader === undefined ? Effect.void : table.signalGroup(leader, "SIGCONT")
    yield* Effect.interruptible(Effect.all([ended, going], { concurrency: 2 }))
  })
  const [leader] = yield* table.ancestry(handle.pid)
  if (leader !== undefined) yield* toEnd(leader)
  /**
   * The spawner counts zombies as living, and would wait for them if init reaps none. After an orderly end without
   * other members of the group there is nothing to end.
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
  // These run before the spawner's own, which ends the rest of the group; the interrupt is first.
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
            // All output before the exit is readable now.
            last = hasExited()
            yield* readFile
            if (!last) yield* Effect.sleep(fileInterval)
          }
        })
  yield* readStdout.pipe(Effect.andThen(Queue.end(queue)), Effect.forkScoped)
  const stderrReader = yield* Stream.runForEach(handle.stderr, (bytes) =>
    Effect.gen(function* () {
      // Earlier output is read first.
      yield* readFile
      stderr = OutputTail.append(stderr, bytes, stderrLength)
      yield* Queue.offer(queue, { from: "stderr", bytes })
      yield* noteActivity
    })
  ).pipe(Effect.ignore, Effect.forkScoped)
  // A process that the program has left behind may hold the output open for ever.
  yield* Effect.gen(function* () {
    yield* Deferred.await(exited)
    for (let before = -1; before !== pieces || (yield* Queue.size(queue)) > 0;) {
      before = pieces
      yield* Effect.sleep(silence)
    }
    yield* Queue.end(queue)
  }).pipe(Effect.forkScoped)

  /** Returns after this much silence. Unread output does not count: then the reader is slow, not the program. */
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
      Stream.mapArrayEffect((pieces) =>
        Effect.map(Clock.currentTimeMillis, (at) =>
          Array.map(pieces, (piece) => ({ _tag: "Printed", ...piece, at }) as const)
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
