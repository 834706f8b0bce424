import { Effect, Result, Scope, Stream, SubscriptionRef, Clock, Exit } from "effect"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import type { HostReady } from "../../services/HostLauncher.ts"
import type { EndCause } from "../../domain/words/session/exitText.ts"
import { fromLatin1, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { ControlSocket, type ServedSocket } from "../../services/ControlSocket.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { CliCommand } from "./CliCommand.ts"
import { cliStarted } from "./cliStarted.ts"
import { noteTurns } from "./noteTurns.ts"
import { stayReachable } from "./stayReachable.ts"
import { MemoryKeeper } from "./MemoryKeeper.ts"
import { parts } from "./sessionLayers.ts"
import { Recorder } from "./Recorder.ts"
import { RecordKeeper } from "./RecordKeeper.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionStop } from "./SessionStop.ts"
import { StatusWriter } from "./StatusWriter.ts"
import { Terminal } from "./Terminal.ts"
import { UsageTracker } from "./UsageTracker.ts"
import { Viewers } from "./Viewers.ts"
import { GitView } from "../../services/GitView.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import { isCutOff, isUnexpectedEnd } from "../../domain/words/attention/unexpectedEnd.ts"
import type { ExitStatus } from "../../domain/words/session/Session.ts"
import { Notifier } from "./Notifier.ts"
import { RestoredSession } from "./RestoredSession.ts"
import { ScreenSampler } from "./ScreenSampler.ts"
import { SessionEnd } from "./SessionEnd.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { UserPresence } from "./UserPresence.ts"
import { flagRefused } from "../../domain/cli/provider/OwnFlag.ts"
import { HostedPty } from "./HostedPty.ts"
import { PermissionResponder } from "./PermissionResponder.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { SignalSources } from "./SignalSources.ts"
import { StopWatch } from "./StopWatch.ts"

/** How long viewers and clients may take to read the session's last frames. */
const farewell = "1 second"
/** The time for pending replies after the last viewer has left. */
const replyTime = "100 millis"
/** The time for the last notices, because the process must exit. */
const noticeTimeout = "2500 millis"

/** Ends the session: first stores its last status, then informs every viewer. `onFinished` runs after both. */
const endHost = Effect.fn("finish")(function* (how: ExitStatus, onFinished: Effect.Effect<void>) {
  const runtime = yield* SessionRuntime
  const viewers = yield* Viewers
  const records = yield* RecordKeeper
  const { log } = yield* RestoredSession
  const screen = (yield* ScreenSampler).read()
  yield* (yield* UsageTracker).flush
  // together with the end, so that no status shows one without the other
  const at = yield* Clock.currentTimeMillis
  const stop = yield* SessionStop
  const stopping = stop.isRequested()
  const cause = stop.cause()
  const exit = cause === null ? how : { ...how, why: cause }
  const userSeenAt = (yield* UserPresence).latest(runtime.memory().tracker.facts.userKeyAt)
  const facts = { exit, at, stopping, userSeenAt }
  yield* (yield* StatusPublisher).update({ unexpectedEnd: isUnexpectedEnd(facts), cutOff: isCutOff(facts) })
  yield* runtime.between(() =>
    Effect.map(Clock.currentTimeMillis, (at) => [
      { _tag: "Output" as const, at, screen },
      { _tag: "Exited" as const, at, exit }
    ])
  )
  // what becomes of the messages is on disk, too
  yield* runtime.between(() => Effect.succeed([]))
  // an unexpected end is a notice, which the last status has
  yield* (yield* Notifier).look
  yield* (yield* StatusWriter).writeLast
  yield* records.flush
  viewers.exited(exit)
  ;(yield* Recorder).end()
  yield* (yield* SessionEnd).reach(exit)
  yield* onFinished
  yield* (yield* RecordWriter).flush
  // A log that could not be compacted is still valid.
  yield* runtime
    .between(({ delivery }) => Effect.as(log.compact(Queue.compact(delivery.queue)), []))
    .pipe(Effect.catch((error) => Effect.logWarning(error.message)))
  yield* Effect.all(
    [
      Effect.timeoutOption(Effect.andThen(viewers.awaitNone, Effect.sleep(replyTime)), farewell),
      Effect.timeoutOption((yield* Notifier).flush, noticeTimeout)
    ],
    { concurrency: "unbounded", discard: true }
  )
})

/** The characters kept of the beginning of the CLI's output, where it reports a flag that it rejects. */
const keptOutput = 16 * 1024

/**
 * Starts the CLI with these arguments and follows its reports. `live` shows its output until it ends, and returns the
 * exit status and the flag of leap over which it ended at once, if any. `close` ends everything of the process;
 * otherwise the scope does.
 */
const startCli = Effect.fn("startCli")(function* (args: ReadonlyArray<string>) {
  const { bareArgs, ownFlags } = yield* CliCommand
  const recorder = yield* Recorder
  const sampler = yield* ScreenSampler
  const terminal = yield* Terminal
  const memory = yield* MemoryKeeper
  const metrics = yield* SessionMetrics
  const { stir } = yield* DirectoryWatch
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  yield* (yield* PermissionResponder).placed
  const child = yield* (yield* HostedPty)
    .start((yield* SessionScreen).size(), args)
    .pipe(Effect.provideService(Scope.Scope, scope))
  yield* (yield* SignalSources).follow(child).pipe(Effect.provideService(Scope.Scope, scope))
  yield* (yield* StopWatch).follow(child).pipe(Effect.provideService(Scope.Scope, scope))
  const canDoWithout = args.length > bareArgs.length

  const live = Effect.gen(function* () {
    const decoder = new TextDecoder()
    let output = ""
    stir()
    yield* child.follow((chunk) => {
      recorder.output(chunk)
      terminal.output(chunk)
      metrics.outputPassed()
      sampler.request()
      stir()
      memory.output(chunk.length)
      if (canDoWithout && output.length < keptOutput) output += decoder.decode(chunk, { stream: true })
    })
    const end = yield* child.exit
    const after = (yield* Clock.currentTimeMillis) - child.startedAt
    return { end, flag: canDoWithout ? flagRefused(ownFlags, { code: end.code, after, output }) : null }
  })

  return { live, close: Scope.close(scope, Exit.void) }
})

/** Publishes the checked-out branch. Reads it when the state or directory changes, because a turn may switch it. */
const followBranch: Effect.Effect<void, never, GitView | StatusPublisher | Scope.Scope> = Effect.gen(function* () {
  const git = yield* GitView
  const publisher = yield* StatusPublisher
  yield* SubscriptionRef.changes(publisher.status).pipe(
    Stream.changesWith((a, b) => a.state === b.state && a.cwd === b.cwd),
    Stream.runForEach(({ cwd }) => Effect.flatMap(git.branch(cwd), (branch) => publisher.update({ branch }))),
    Effect.forkScoped
  )
})

/** The longest wait until the terminal that started the session shows it. */
const viewerTimeout = "3 seconds"

export interface HostOptions {
  readonly spec: HostSpec
  /** Reports once to the process that started the host. */
  readonly announce: (ready: HostReady) => Effect.Effect<void>
  /** Runs when the session is over and its last status is on disk. What remains must not keep the process alive. */
  readonly onFinished: Effect.Effect<void>
  /** Completes when the system asks this process to end (SIGTERM), which stops the CLI in order. */
  readonly stopRequest: Effect.Effect<void>
}

/** Ends the session, and reports why to its viewers and its log. */
const endBecause = Effect.fnUntraced(function* (cause: EndCause, why: string) {
  yield* Effect.logError(why)
  ;(yield* Terminal).output(fromLatin1(utf8ToLatin1(`\r\nleap: ${why}\r\n`)))
  yield* (yield* SessionStop).stop(false, cause)
})

/** Ends the session if its directory is deleted, because no client finds it and another host may use its tag. */
const endWithPlace = Effect.gen(function* () {
  const { paths, tag } = yield* SessionContext
  // a cleaner may delete the lock alone, which `stayReachable` creates again: so the log must be gone, too
  yield* (yield* DirectoryWatch).gone(paths.dir, [paths.lock, paths.log])
  yield* endBecause(
    "directory",
    `the directory of session '${tag}' was deleted or moved (${paths.dir}): the session ends`
  )
})

/** Keeps the session reachable, and ends it if another host has taken it over. */
const endWhenLost = Effect.fnUntraced(function* (served: ServedSocket) {
  const { tag } = yield* SessionContext
  yield* stayReachable(served)
  yield* endBecause("taken", `another host has taken session '${tag}' over: this one ends`)
})

const live = Effect.fn("live")(function* ({ announce, onFinished, spec, stopRequest }: HostOptions) {
  const { hostPid, paths } = yield* SessionContext
  const viewers = yield* Viewers
  const stop = yield* SessionStop
  const command = yield* CliCommand
  const { displayName } = yield* CLIProvider
  const recorder = yield* Recorder
  const terminal = yield* Terminal
  const served = yield* (yield* ControlSocket).serve(paths.socket, (yield* MemoryKeeper).heard)

  yield* noteTurns
  const ready = announce({ ready: true, pid: hostPid })
  // the viewer comes while the CLI is being started, and sees why it cannot be
  if (spec.waitForViewer) yield* ready
  const first = yield* Effect.result(startCli(command.args))
  const viewer = Effect.raceFirst(viewers.awaitDrawn, stop.awaitRequest).pipe(Effect.timeoutOption(viewerTimeout))
  if (Result.isFailure(first)) {
    if (!spec.waitForViewer) return yield* first.failure
    yield* viewer
    // The message goes through the emulator, so that a later viewer sees it in its first repaint.
    terminal.output(fromLatin1(utf8ToLatin1(`leap: ${first.failure.message}\r\n`)))
    return yield* endHost({ code: 127, signal: null }, onFinished)
  }
  yield* (yield* UsageTracker).follow
  yield* followBranch
  yield* (yield* RecordKeeper).follow
  yield* (yield* RecordWriter).follow
  yield* (yield* StatusWriter).follow
  yield* Effect.forkScoped(Effect.andThen(stopRequest, stop.stop(false, "signal")))
  yield* Effect.forkScoped(endWithPlace)
  yield* Effect.forkScoped(endWhenLost(served))
  yield* spec.waitForViewer ? viewer : ready
  // The stop may have been requested before the CLI had started.
  if (stop.isRequested()) yield* Effect.forkScoped(stop.stop(stop.isForced()))

  const { end: firstEnd, flag } = yield* first.success.live
  let end = firstEnd
  // The CLI rejected a flag of leap: it is started again without leap's optional flags.
  if (flag !== null && !stop.isRequested()) {
    yield* first.success.close
    const why = `${displayName} rejected ${flag}, which leap had added, and ended: leap started it again without it`
    yield* Effect.logWarning(why)
    terminal.output(fromLatin1(utf8ToLatin1(`leap: ${why}\r\n`)))
    const second = yield* Effect.result(startCli(command.bareArgs))
    if (Result.isSuccess(second)) {
      if (stop.isRequested()) yield* Effect.forkScoped(stop.stop(stop.isForced()))
      end = (yield* second.success.live).end
    }
  }
  recorder.marker("exit")
  terminal.end()
  yield* endHost(end, onFinished)
}, Effect.scoped)

/** The session's life once its CLI's process has been started. */
export const sessionLife = (options: HostOptions) => Effect.provide(live(options), parts)

/** Runs one session of the provided CLI until the CLI ends. */
export const runHost = (options: HostOptions) => Effect.provide(sessionLife(options), cliStarted(options.spec))
