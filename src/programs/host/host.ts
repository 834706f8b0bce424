import { type Cause, Clock, DateTime, Deferred, Effect, FiberHandle, Latch, Option, Queue as Mailbox, Result, Schedule, Schema, Stream, SubscriptionRef } from "effect"
import { fromLatin1, latin1ToText, utf8ToLatin1 } from "../../domain/Bytes.ts"
import { readOnce } from "../../domain/Detection.ts"
import type { HostReady, HostSpec } from "../../domain/HostSpec.ts"
import * as InputBytes from "../../domain/InputBytes.ts"
import { encodeReport } from "../../domain/ProgramStatus.ts"
import * as Queue from "../../domain/Queue.ts"
import { reply } from "../../domain/QueryReplies.ts"
import type { ExitStatus } from "../../domain/Session.ts"
import type { SessionEvent } from "../../domain/SessionEvent.ts"
import * as SessionMachine from "../../domain/SessionMachine.ts"
import { Tag } from "../../domain/Tag.ts"
import type { HostedProcess } from "../../services/CLIProvider.ts"
import { ControlSocket } from "../../services/ControlSocket.ts"
import { HookInbox } from "../../services/HookInbox.ts"
import { HostRpc } from "../../services/HostRpc.ts"
import { Machine } from "../../services/Machine.ts"
import { Paths } from "../../services/Paths.ts"
import { PidMap } from "../../services/PidMap.ts"
import { Providers } from "../../services/Providers.ts"
import { Pty, type PtyHandle, type PtySize } from "../../services/Pty.ts"
import { QueueStore } from "../../services/QueueStore.ts"
import { Screen } from "../../services/Screen.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { makeAnswerer } from "./answer.ts"
import { makeApprovals } from "./approvals.ts"
import { keepChronicle } from "./chronicle.ts"
import { cliEnvironment } from "./environment.ts"
import { handlers } from "./handlers.ts"
import { makeKeyboard } from "./keyboard.ts"
import { makeLooks } from "./looks.ts"
import { makeModeChanges, startModes } from "./modes.ts"
import { makeRecorder } from "./recorder.ts"
import { makeRuntime } from "./runtime.ts"
import { makeSessionRecords } from "./sessionRecords.ts"
import { sessionStatus } from "./sessionStatus.ts"
import { stopCli } from "./stop.ts"
import { makeTerminal } from "./terminal.ts"
import { makeUsage } from "./usage.ts"
import { makeViewers } from "./viewers.ts"
import { hearWitnesses } from "./witnesses.ts"

/** How long the CLI's start waits for the terminal that asked for it. */
const viewerPatience = "3 seconds"
/** How long viewers and clients may take to read the session's last words. */
const farewell = "1 second"
const scrollback = 5_000

export interface HostOptions {
  readonly spec: HostSpec
  /** Tells, once, whoever started the host. */
  readonly announce: (ready: HostReady) => Effect.Effect<void>
  /** Told when the session is over and its last word is on disk: what is left to do must not keep the process. */
  readonly finished: Effect.Effect<void>
  /** Completes when the machine asks this process to end (SIGTERM): the CLI is stopped and its session closed properly. */
  readonly asked: Effect.Effect<void>
}

/** Runs one session from its start to its CLI's end. */
export const runHost = Effect.fn("runHost")(function*({ announce, asked, finished, spec }: HostOptions) {
  const machine = yield* Machine
  const tag = yield* Schema.decodeUnknownEffect(Tag)(spec.tag)
  const provider = yield* (yield* Providers).get(spec.cli)
  const paths = yield* (yield* Paths).ensureSession(tag)
  // a host that is about to go still holds the session for a moment
  yield* (yield* SessionLock).acquire(paths.lock).pipe(
    Effect.retry({ while: (error) => error._tag === "SessionBusyError", schedule: Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(30)]) })
  )
  const inbox = yield* HookInbox
  yield* inbox.clear(paths.spool)
  const store = yield* StatusStore
  // a CLI that did not heed the hang-up when its host was killed would work beside the new one, on the same files
  const former = Option.getOrNull(yield* store.read(paths.status))
  if (former?.pid != null && former.exit === null && (yield* machine.endLeftover(former.pid, "LEAP_SIGNAL_DIR", paths.spool))) {
    yield* Effect.logWarning(`ended process ${former.pid}, which an earlier host of this session had left behind`)
  }

  const log = yield* (yield* QueueStore).open(paths.queue)
  const startedAt = yield* Clock.currentTimeMillis
  const left = Queue.replayLog(log.records)
  const queue = Queue.replayLog(Queue.recover(left, startedAt), left)
  yield* log.compact(Queue.compact(queue))

  let size: PtySize = { cols: spec.cols, rows: spec.rows }
  let pty: PtyHandle | undefined
  /** The session was stopped, maybe before its CLI was started. */
  let unwanted = false
  const screen = yield* (yield* Screen).make({ ...size, scrollback })
  const exit = yield* Deferred.make<ExitStatus>()
  const viewerCame = yield* Latch.make(false)
  const emptied = yield* Latch.make(true)

  // All bytes for the CLI pass one mailbox, so that their order is the order in which they were decided.
  const outbox = yield* Mailbox.unbounded<string, Cause.Done>()
  const write = (latin1: string, by: "user" | "leap"): void => {
    Mailbox.offerUnsafe(outbox, latin1)
    recorder.input(latin1, by)
  }
  const keyboard = makeKeyboard({
    write,
    pressed: (keys, by, continues) => stamp((at) => ({ _tag: "Input", at, keys, by, ...continues ? { continues } : {} }))
  })
  const clock = yield* Clock.Clock
  const stamp = (event: (at: number) => SessionEvent): void => runtime.offer(event(clock.currentTimeMillisUnsafe()))
  const recorder = makeRecorder({
    now: () => clock.currentTimeMillisUnsafe(),
    size: () => size,
    keyFrame: () =>
      screen.repaint({ main: false, scrollback: false }) + runtime.memory().tracker.facts.records.map(encodeReport).join("") +
      latin1ToText(terminal.resume())
  })
  const viewers = makeViewers({
    repaint: (first) => {
      // on the main screen the user's own lines go up into the scrollback; a later repaint brings no scrollback again
      const room = first && !screen.view().alternate ? "\r\n".repeat(size.rows) : ""
      return room + screen.repaint({ main: false, scrollback: first }) + terminal.resume()
    },
    onSize: (wanted) => resize(wanted),
    onCount: (count) => {
      if (count > 0) viewerCame.openUnsafe()
      if (count > 0) emptied.closeUnsafe()
      else emptied.openUnsafe()
      refreshes.openUnsafe()
    }
  })
  const refreshes = yield* Latch.make(false)
  const usage = yield* makeUsage(provider)
  const runtime = yield* makeRuntime({
    profile: { detection: provider.detection, input: provider.input },
    memory: SessionMachine.start({
      at: startedAt,
      modes: yield* startModes(tag),
      queue,
      zone: DateTime.zoneToString(DateTime.zoneMakeLocal()),
      ...spec.resumes === undefined ? {} : { resumes: spec.resumes }
    }),
    log,
    write: ({ data, purpose }) =>
      Effect.sync(() => {
        if (purpose === "text") recorder.marker("send")
        write(utf8ToLatin1(data), "leap")
      }),
    holdKeys: (on) => Effect.sync(() => keyboard.hold(on)),
    status: (memory, now) =>
      sessionStatus({
        spec,
        provider,
        startedAt,
        hostPid: machine.pid,
        pid: pty?.pid ?? null,
        attached: viewers.count(),
        view: memory.tracker.view,
        facts: memory.tracker.facts,
        queue: memory.delivery.queue,
        used: usage.shown(),
        now
      })
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(refreshes.await, Effect.andThen(refreshes.close, runtime.refresh))))

  const terminal = makeTerminal({
    screen,
    viewers,
    write: (data) => write(data, "leap"),
    answer: (query) => reply(query, { ...screen.view(), ...size, modes: screen.modes(), version: machine.version }),
    report: (report) => stamp((at) => ({ _tag: "Reported", at, report }))
  })
  const readScreen = readOnce(provider.detection.readScreen)
  const looks = yield* makeLooks((trust) =>
    Effect.sync(() => {
      const view = screen.view()
      const whole = view.whole || trust
      stamp((at) => ({ _tag: "Output", at, screen: whole ? readScreen(view) : null }))
      return whole
    })
  )
  const resizes = yield* FiberHandle.make()
  const runResize = yield* FiberHandle.runtime(resizes)<never>()
  const resize = (wanted: PtySize): void => {
    if (wanted.cols === size.cols && wanted.rows === size.rows) return
    size = wanted
    screen.resize(wanted.cols, wanted.rows)
    recorder.resize(wanted)
    stamp((at) => ({ _tag: "Resize", at, ...wanted }))
    if (pty !== undefined) runResize(pty.resize(wanted))
    looks.request()
  }

  const stop = (force: boolean) =>
    Effect.suspend(() => {
      unwanted = true
      viewerCame.openUnsafe()
      return pty === undefined ? Effect.void : stopCli({ input: provider.input, keyboard, runtime, screen, exit }, pty, force)
    })

  const keys = Effect.fnUntraced(function*(data: string) {
    const { parts } = InputBytes.classify(InputBytes.start, data, yield* Clock.currentTimeMillis)
    keyboard.press(data, parts.flatMap((part) => part._tag === "Keys" ? [part.kind] : []), "leap")
  })
  const answer = yield* makeAnswerer({ tag: spec.tag, provider, runtime, keys })
  const approvals = yield* makeApprovals({
    tag,
    cwd: spec.cwd,
    provider,
    runtime,
    spool: paths.spool,
    answer,
    decided: Effect.sync(() => stamp((at) => ({ _tag: "Decided", at })))
  })

  const layer = HostRpc.toLayer(Effect.succeed(handlers({
    spec,
    provider,
    runtime,
    used: usage.shown,
    viewers,
    recorder,
    screen,
    size: () => size,
    keys,
    answer: (text) => Effect.tap(answer(text), (given) => approvals.answered(given.asked, given.answer)),
    input: Effect.fnUntraced(function*(viewer, data) {
      const { continues, forward, keys, pending } = viewers.input(viewer, data, yield* Clock.currentTimeMillis)
      keyboard.press(forward, keys, "user", continues)
      if (!pending) return
      // the beginning of a sequence whose end never comes was keys after all
      yield* Effect.sleep(InputBytes.sequenceMs + 1)
      const late = viewers.input(viewer, "", yield* Clock.currentTimeMillis)
      keyboard.press(late.forward, late.keys, "user", late.continues)
    }),
    changeModes: yield* makeModeChanges(tag, runtime),
    stop,
    exit
  })))
  yield* (yield* ControlSocket).serve(paths.socket).pipe(Effect.provide(layer))

  // ---- the CLI
  if (spec.waitForViewer) {
    yield* announce({ ready: true, pid: machine.pid })
    yield* viewerCame.await.pipe(Effect.timeoutOption(viewerPatience))
  }
  const launch = provider.launch({ args: spec.args, env: machine.env, self: machine.self })
  const env = cliEnvironment(machine.env, spec, paths.spool, launch)
  const records = yield* makeSessionRecords({ tag, provider, env, runtime })
  /** The session is over: its last word is on disk before its socket goes, and everybody attached hears it. */
  const finish = Effect.fnUntraced(function*(ended: ExitStatus) {
    const view = screen.view()
    yield* usage.flush
    yield* runtime.between(Effect.gen(function*() {
      const at = yield* Clock.currentTimeMillis
      yield* runtime.apply({ _tag: "Output", at, screen: readScreen(view) })
      yield* runtime.apply({ _tag: "Exited", at, exit: ended })
    }))
    yield* store.write(paths.status, yield* SubscriptionRef.get(runtime.status), true)
    yield* store.writeScreen(paths.screen, screen.text())
    yield* records.flush
    viewers.exited(ended)
    recorder.end()
    yield* Deferred.succeed(exit, ended)
    yield* finished
    // a log that could not be made shorter is as good as a short one
    yield* runtime.between(Effect.suspend(() => log.compact(Queue.compact(runtime.memory().delivery.queue)))).pipe(
      Effect.catch((error) => Effect.logWarning(error.message))
    )
    // viewers leave when they have read the end; replies under way get a moment
    yield* Effect.timeoutOption(Effect.andThen(emptied.await, Effect.sleep("100 millis")), farewell)
  })

  if (unwanted) return yield* finish({ code: null, signal: "SIGTERM" })
  const spawned = yield* Effect.result(
    (yield* Pty).spawn({ command: launch.command, args: launch.args, cwd: spec.cwd, env, size })
  )
  if (Result.isFailure(spawned)) {
    if (!spec.waitForViewer) return yield* spawned.failure
    viewers.output([{ _tag: "Text", data: utf8ToLatin1(`leap: ${spawned.failure.message}\r\n`) }])
    return yield* finish({ code: 127, signal: null })
  }
  const child = spawned.success
  pty = child
  yield* (yield* PidMap).register({ cliPid: child.pid, spool: paths.spool })
  yield* runtime.refresh
  const spawnedAt = yield* Clock.currentTimeMillis
  yield* Stream.fromQueue(outbox).pipe(
    Stream.runForEach((latin1) => child.write(fromLatin1(latin1))),
    Effect.forkScoped
  )
  const hosted: Effect.Effect<HostedProcess> = Effect.sync(() => ({
    pid: child.pid,
    cwd: spec.cwd,
    startedAt: spawnedAt,
    sessionId: runtime.memory().tracker.facts.sessionId
  }))
  yield* hearWitnesses({
    provider,
    runtime,
    recorder,
    stamp,
    spool: paths.spool,
    cliPid: child.pid,
    env,
    hosted,
    onHook: (hook) => Effect.andThen(approvals.onHook(hook), Effect.sync(() => usage.hear(hook)))
  })
  yield* usage.follow(runtime, env)
  yield* records.follow
  yield* keepChronicle({ runtime, recorder, statusFile: paths.status })
  if (!spec.waitForViewer) yield* announce({ ready: true, pid: machine.pid })

  yield* Effect.forkScoped(Effect.andThen(asked, stop(false)))

  // ---- until it ends
  yield* child.output.pipe(
    Stream.runForEach((chunk) =>
      Effect.sync(() => {
        recorder.output(chunk)
        terminal.output(chunk)
        looks.request()
      })
    )
  )
  const ended = yield* child.exit
  recorder.marker("exit")
  terminal.end()
  yield* finish(ended)
}, Effect.scoped)
