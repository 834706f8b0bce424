import { Effect, Result, type Scope, Stream, SubscriptionRef } from "effect"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import type { HostReady } from "../../services/HostLauncher.ts"
import type { EndCause } from "../../domain/words/session/exitText.ts"
import { fromLatin1, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { ControlSocket, type ServedSocket } from "../../services/ControlSocket.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { finish } from "./finish.ts"
import { CliCommand } from "./CliCommand.ts"
import { startCli } from "./CliRun.ts"
import { stayReachable } from "./stayReachable.ts"
import { MemoryKeeper } from "./MemoryKeeper.ts"
import { parts } from "./parts.ts"
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

/**
 * Publishes which branch the session's directory has checked out, until the scope ends. It is looked at when what the
 * session does has changed, or its directory: whoever changes branches in it was at work.
 */
const followBranch: Effect.Effect<void, never, GitView | StatusPublisher | Scope.Scope> = Effect.gen(function* () {
  const git = yield* GitView
  const publisher = yield* StatusPublisher
  yield* SubscriptionRef.changes(publisher.status).pipe(
    Stream.changesWith((a, b) => a.state === b.state && a.cwd === b.cwd),
    Stream.runForEach(({ cwd }) => Effect.flatMap(git.branch(cwd), (branch) => publisher.update({ branch }))),
    Effect.forkScoped
  )
})

/** How long what the CLI prints first waits for the terminal that asked for it. */
const viewerPatience = "3 seconds"

export interface HostOptions {
  readonly spec: HostSpec
  /** Tells, once, whoever started the host. */
  readonly announce: (ready: HostReady) => Effect.Effect<void>
  /** Runs when the session is over and its last status is on disk: what is left to do must not keep the process. */
  readonly finished: Effect.Effect<void>
  /**
   * Completes when the system asks this process to end (SIGTERM): the CLI is stopped and its session closed properly.
   */
  readonly stopRequest: Effect.Effect<void>
}

/** What is to end a session of which only its viewers and its log can still tell. */
const endBecause = Effect.fnUntraced(function* (cause: EndCause, why: string) {
  yield* Effect.logError(why)
  ;(yield* Terminal).output(fromLatin1(utf8ToLatin1(`\r\nleap: ${why}\r\n`)))
  yield* (yield* SessionStop).stop(false, cause)
})

/**
 * Without its directory no client finds a session any more, and another host may begin one of the same name: it ends,
 * and whoever is attached reads why.
 */
const endWithPlace = Effect.gen(function* () {
  const { paths, tag } = yield* SessionContext
  // a cleaner may take the lock's file alone: it is made anew (`stayReachable`)
  yield* (yield* DirectoryWatch).gone(paths.dir, [paths.lock, paths.log])
  yield* endBecause(
    "directory",
    `the directory of session '${tag}' was deleted or moved (${paths.dir}): the session ends`
  )
})

/** Keeps the session where clients look for it, for as long as it is this host's. */
const endWhenLost = Effect.fnUntraced(function* (served: ServedSocket) {
  const { tag } = yield* SessionContext
  yield* stayReachable(served)
  yield* endBecause("taken", `another host has taken session '${tag}' over: this one ends`)
})

const live = Effect.fn("live")(function* ({ announce, finished, spec, stopRequest }: HostOptions) {
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
  const viewer = Effect.raceFirst(viewers.awaitDrawn, stop.awaitRequest).pipe(Effect.timeoutOption(viewerPatience))
  if (spec.waitForViewer) yield* ready
  if (Result.isFailure(first)) {
    if (!spec.waitForViewer) return yield* first.failure
    yield* viewer
    // Through the emulator too: a viewer that has just come sees it in its first repaint.
    terminal.output(fromLatin1(utf8ToLatin1(`leap: ${first.failure.message}\r\n`)))
    return yield* finish({ code: 127, signal: null }, finished)
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
  // Somebody has asked for it while the CLI was being started, when there was nothing to stop yet.
  if (stop.isRequested()) yield* Effect.forkScoped(stop.stop(stop.isForced()))

  const { end: firstEnd, flag } = yield* first.success.live
  let end = firstEnd
  // One that ends at once over a flag that only leap wants is started again without it.
  if (flag !== null && !stop.isRequested()) {
    yield* first.success.close
    const why = `${displayName} ended at once over ${flag}, which leap had added: it was started again without it`
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
  yield* finish(end, finished)
}, Effect.scoped)

/** Runs one session of the provided CLI, from its start to its CLI's end. */
export const runHost = (options: HostOptions) => Effect.provide(live(options), parts(options.spec))
