import { type Cause, Clock, DateTime, Deferred, Effect, FiberHandle, Latch, Option, Queue as Mailbox, Result, Schedule, Schema, Sink, Stream, SubscriptionRef } from "effect"
import { fromLatin1, latin1ToText, utf8ToLatin1 } from "../../domain/Bytes.ts"
import { readOnce } from "../../domain/Detection.ts"
import type { HostReady, HostSpec } from "../../domain/HostSpec.ts"
import * as InputBytes from "../../domain/InputBytes.ts"
import { encodeReport } from "../../domain/ProgramStatus.ts"
import * as Queue from "../../domain/Queue.ts"
import { reply } from "../../domain/QueryReplies.ts"
import { defaultModes, type ExitStatus } from "../../domain/Session.ts"
import type { SessionEvent } from "../../domain/SessionEvent.ts"
import type { Signal } from "../../domain/Signal.ts"
import * as SessionMachine from "../../domain/SessionMachine.ts"
import { Tag } from "../../domain/Tag.ts"
import type { HostedProcess } from "../../services/CLIProvider.ts"
import { ControlSocket } from "../../services/ControlSocket.ts"
import { FileTail } from "../../services/FileTail.ts"
import { HookInbox } from "../../services/HookInbox.ts"
import { HostRpc } from "../../services/HostRpc.ts"
import { Machine } from "../../services/Machine.ts"
import { OwnStatus } from "../../services/OwnStatus.ts"
import { Paths } from "../../services/Paths.ts"
import { Providers } from "../../services/Providers.ts"
import { Pty, type PtyHandle, type PtySize } from "../../services/Pty.ts"
import { QueueStore } from "../../services/QueueStore.ts"
import { Screen } from "../../services/Screen.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { cliEnvironment } from "./environment.ts"
import { handlers } from "./handlers.ts"
import { makeKeyboard } from "./keyboard.ts"
import { makeLooks } from "./looks.ts"
import { makeRecorder } from "./recorder.ts"
import { makeRuntime } from "./runtime.ts"
import { receiptShown, sessionStatus } from "./sessionStatus.ts"
import { makeTerminal } from "./terminal.ts"
import { makeViewers } from "./viewers.ts"

/** How long the CLI's start waits for the terminal that asked for it. */
const viewerPatience = "3 seconds"
/** How long viewers and clients may take to read the session's last words. */
const farewell = "1 second"
/** How long a CLI may take to leave: when asked politely, and after a hang-up. */
const quitPatience = "4 seconds"
const hangupPatience = "2 seconds"
const interruptPatience = "1500 millis"
/** How long a key may take to show on the screen. */
const keyPatience = "500 millis"
const busyStates: ReadonlySet<string> = new Set(["running", "needs_permission", "needs_input"])
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
  /** What the CLI told of itself: for the record as it came, for the machine as the provider reads it. */
  const heard = (label: string, content: unknown, source: string, signals: ReadonlyArray<Signal>): void => {
    recorder.marker(`${label}${JSON.stringify(content)}`)
    for (const signal of signals) stamp((at) => ({ _tag: "Signaled", at, source, signal }))
  }

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
  const runtime = yield* makeRuntime({
    profile: { detection: provider.detection, input: provider.input },
    memory: SessionMachine.start({ at: startedAt, modes: defaultModes, queue, zone: DateTime.zoneToString(DateTime.zoneMakeLocal()) }),
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

  /** Ends the CLI: its own quit keys first, then a hang-up, then a kill. */
  const stop = Effect.fnUntraced(function*(force: boolean) {
    const gone = (patience: typeof quitPatience | typeof hangupPatience) =>
      Deferred.await(exit).pipe(Effect.timeoutOption(patience), Effect.map((ended) => ended._tag === "Some"))
    unwanted = true
    viewerCame.openUnsafe()
    if (pty === undefined) return
    if (!force) {
      if (busyStates.has(runtime.memory().tracker.view.state)) {
        keyboard.press(provider.input.interrupt, [], "leap")
        yield* SubscriptionRef.changes(runtime.status).pipe(
          Stream.filter((status) => !busyStates.has(status.state)),
          Stream.runHead,
          Effect.timeoutOption(interruptPatience)
        )
      }
      // a CLI that wants its quit key twice says so in between; two in one write may count as one
      for (const key of provider.input.quit) {
        const before = screen.text()
        keyboard.press(key, [], "leap")
        yield* Effect.suspend(() => screen.text() === before ? Effect.fail("the same") : Effect.void).pipe(
          Effect.retry(Schedule.spaced("20 millis")),
          Effect.timeoutOption(keyPatience),
          Effect.ignore
        )
      }
      if (yield* gone(quitPatience)) return
    }
    yield* pty.signal(force ? "SIGKILL" : "SIGHUP")
    if (yield* gone(hangupPatience)) return
    yield* pty.signal("SIGKILL")
  })

  const layer = HostRpc.toLayer(Effect.succeed(handlers({
    spec,
    provider,
    runtime,
    viewers,
    recorder,
    screen,
    size: () => size,
    keys: Effect.fnUntraced(function*(data) {
      const { parts } = InputBytes.classify(InputBytes.start, data, yield* Clock.currentTimeMillis)
      keyboard.press(data, parts.flatMap((part) => part._tag === "Keys" ? [part.kind] : []), "leap")
    }),
    input: Effect.fnUntraced(function*(viewer, data) {
      const { continues, forward, keys, pending } = viewers.input(viewer, data, yield* Clock.currentTimeMillis)
      keyboard.press(forward, keys, "user", continues)
      if (!pending) return
      // the beginning of a sequence whose end never comes was keys after all
      yield* Effect.sleep(InputBytes.sequenceMs + 1)
      const late = viewers.input(viewer, "", yield* Clock.currentTimeMillis)
      keyboard.press(late.forward, late.keys, "user", late.continues)
    }),
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
  /** The session is over: its last word is on disk before its socket goes, and everybody attached hears it. */
  const finish = Effect.fnUntraced(function*(ended: ExitStatus) {
    const view = screen.view()
    yield* runtime.between(Effect.gen(function*() {
      const at = yield* Clock.currentTimeMillis
      yield* runtime.apply({ _tag: "Output", at, screen: readScreen(view) })
      yield* runtime.apply({ _tag: "Exited", at, exit: ended })
    }))
    yield* store.write(paths.status, yield* SubscriptionRef.get(runtime.status), true)
    yield* store.writeScreen(paths.screen, screen.text())
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
  const hooks = yield* inbox.watch({ spool: paths.spool, cliPid: child.pid })
  yield* hooks.pipe(
    Stream.runForEach(({ event, nested, payload }) =>
      Effect.sync(() =>
        nested
          ? recorder.marker(`nested:${event} ${JSON.stringify(payload)}`)
          : heard(`hook:${event} `, payload, `hook ${event}`, provider.detection.readHook(event, payload))
      )
    ),
    Effect.forkScoped
  )
  if (provider.ownStatus !== null) {
    const contents = yield* (yield* OwnStatus).watch(provider.ownStatus, env, hosted)
    yield* contents.pipe(
      Stream.runForEach((content) =>
        Effect.sync(() => heard("session:", content, "session file", provider.detection.readOwnStatus(content)))
      ),
      Effect.forkScoped
    )
  }

  // the transcript's path comes with the first hook, and changes with the conversation
  const tail = yield* FileTail
  yield* SubscriptionRef.changes(runtime.status).pipe(
    Stream.map(({ sessionId, transcriptPath }) =>
      transcriptPath ?? (sessionId === null || provider.transcript === undefined ? null : provider.transcript(env, sessionId))),
    Stream.changes,
    Stream.switchMap((path) => path === null ? Stream.empty : Stream.unwrap(tail.follow(path))),
    Stream.runForEach((line) =>
      Effect.sync(() => {
        const record = parsed(line)
        const signals = provider.detection.readTranscript(record)
        // the rest of a transcript is the conversation, which the screen has shown
        if (signals.length > 0) heard("transcript:", record, "transcript", signals)
      })
    ),
    Effect.forkScoped
  )

  // ---- what clients find when no host answers, kept current
  yield* SubscriptionRef.changes(runtime.status).pipe(
    // a debounce would starve while the status keeps changing
    Stream.aggregateWithin(Sink.last(), Schedule.spaced("500 millis")),
    Stream.filterMap((status) => Option.isSome(status) ? Result.succeed(status.value) : Result.failVoid),
    Stream.runForEach((status) => status.state === "exited" ? Effect.void : store.write(paths.status, status, false)),
    Effect.forkScoped
  )
  yield* store.write(paths.status, yield* SubscriptionRef.get(runtime.status), false)
  // a receipt that has been shown long enough goes
  yield* SubscriptionRef.changes(runtime.status).pipe(
    Stream.filter((status) => status.queue.some((message) => message.status === "done" || message.status === "failed")),
    Stream.debounce(receiptShown),
    Stream.runForEach(() => runtime.refresh),
    Effect.forkScoped
  )
  // what leap said at the time, beside what it was said of
  yield* SubscriptionRef.changes(runtime.status).pipe(
    Stream.map(({ dialog, ready, reason, state }) => JSON.stringify({ state, ready, dialog, reason })),
    Stream.changes,
    Stream.runForEach((said) => Effect.sync(() => recorder.marker(`leap:${said}`))),
    Effect.forkScoped
  )
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

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
/** A line's JSON, or null when it is none. */
const parsed = (line: string): unknown => Option.getOrNull(decodeLine(line))
