import { Effect, Result, type Scope, Stream, SubscriptionRef } from "effect"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import type { HostReady } from "../../services/HostLauncher.ts"
import type { EndCause } from "../../domain/words/session/exitText.ts"
import { fromLatin1, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { ControlSocket, type ServedSocket } from "../../services/ControlSocket.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { endHost } from "./endHost.ts"
import { CliCommand } from "./CliCommand.ts"
import { startCli } from "./CliRun.ts"
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

  const first = yield* Effect.result(startCli(command.args))
  const ready = announce({ ready: true, pid: hostPid })
  const viewer = Effect.raceFirst(viewers.awaitDrawn, stop.awaitRequest).pipe(Effect.timeoutOption(viewerTimeout))
  if (spec.waitForViewer) yield* ready
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

/** Runs one session of the provided CLI until the CLI ends. */
export const runHost = (options: HostOptions) => Effect.provide(live(options), parts(options.spec))
