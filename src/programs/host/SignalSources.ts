import { Clock, Context, Effect, Layer, type Scope, Stream, SubscriptionRef } from "effect"
import { hookSource } from "../../domain/engine/tracker/HookWitness.ts"
import { jsonOf } from "../../domain/words/formats/Json.ts"
import type { Signal } from "../../domain/words/session/Signal.ts"
import { CLIProvider, type HostedProcess } from "../../services/CLIProvider.ts"
import { FileTail } from "../../services/FileTail.ts"
import { HookInbox, type HookDelivery } from "../../services/HookInbox.ts"
import { OwnStatus } from "../../services/OwnStatus.ts"
import { PermissionResponder } from "./PermissionResponder.ts"
import { CliCommand, transcriptPathOf } from "./CliCommand.ts"
import type { HostedChild } from "./CliProcess.ts"
import { Recorder } from "./Recorder.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { UsageTracker } from "./UsageTracker.ts"
import { type NotedWrite, withWrites } from "../../domain/words/session/RecentWrites.ts"
import { System } from "../../services/System.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"

const realPathTimeout = "200 millis"
const mostPaths = 20

/** Publishes the files that the CLI is about to write, as its hooks say: other sessions may write them, too. */
const makeWriteNoter = Effect.gen(function* () {
  const { permissions } = yield* CLIProvider
  const publisher = yield* StatusPublisher
  const { realPath } = yield* System
  let noted: ReadonlyArray<NotedWrite> = []
  return Effect.fn("noteWrites")(function* ({ event, nested, payload }: HookDelivery) {
    const request = nested ? undefined : permissions.request(event, payload)?.request
    if (request?.kind !== "edit" || request.paths.length === 0) return
    const cwd = request.cwd === "" ? (yield* SubscriptionRef.get(publisher.status)).cwd : request.cwd
    const named = request.paths.slice(0, mostPaths).map((path) => absolutePath(cwd, path))
    // a file with several names is published by its real one
    const real = yield* Effect.forEach(named, realPath, { concurrency: 8 }).pipe(
      Effect.timeoutOrElse({ duration: realPathTimeout, orElse: () => Effect.succeed([]) })
    )
    noted = withWrites(
      noted,
      named.map((path, i) => real[i] ?? path),
      yield* Clock.currentTimeMillis
    )
    yield* publisher.update({ writes: noted })
  })
})

/** The CLI's reports in addition to its screen: its hooks, its status file, its transcript. */
export class SignalSources extends Context.Service<
  SignalSources,
  {
    readonly follow: (child: HostedChild) => Effect.Effect<void, never, Scope.Scope>
  }
>()("leap/programs/host/SignalSources") {}

const make = Effect.gen(function* () {
  const { paths, spec } = yield* SessionContext
  const provider = yield* CLIProvider
  const { env } = yield* CliCommand
  const runtime = yield* SessionRuntime
  const recorder = yield* Recorder
  const { status } = yield* StatusPublisher
  const approvals = yield* PermissionResponder
  const usage = yield* UsageTracker
  const inbox = yield* HookInbox
  const ownStatus = yield* OwnStatus
  const tail = yield* FileTail
  const clock = yield* Clock.Clock
  const { detection } = provider
  const metrics = yield* SessionMetrics
  const noteWrites = yield* makeWriteNoter

  /** Records a source's raw content, and passes on the signals in it. */
  const take = (label: string, content: unknown, source: string, signals: ReadonlyArray<Signal>): void => {
    // a tool's result is already recorded with its hook, and may be long
    if (signals.some(({ _tag }) => _tag !== "ToolRan" && _tag !== "ModelActed"))
      recorder.marker(`${label}${JSON.stringify(content)}`)
    for (const signal of signals) {
      metrics.count("signals", source)
      runtime.offer({ _tag: "Signal", at: clock.currentTimeMillisUnsafe(), source, signal })
    }
  }

  const followHooks = Effect.fnUntraced(function* (cliPid: number) {
    const hooks = yield* inbox.watch({ spool: paths.spool, cliPid })
    yield* hooks.pipe(
      Stream.runForEach((hook) =>
        Effect.andThen(
          approvals.onHook(hook),
          Effect.sync(() => {
            const { event, nested, payload } = hook
            usage.onHook(hook)
            if (nested) recorder.marker(`nested:${event} ${JSON.stringify(payload)}`)
            else {
              const signals = detection.readHook(event, payload)
              // The arrival of a hook is evidence by itself.
              const heard = signals.length === 0 ? [{ _tag: "Ignored", why: "it says nothing" } as const] : signals
              take(`hook:${event} `, payload, hookSource(event), heard)
            }
          })
        ).pipe(Effect.andThen(noteWrites(hook)))
      ),
      Effect.forkScoped
    )
  })

  const followOwnStatus = Effect.fnUntraced(function* ({ pid, startedAt }: HostedChild) {
    if (provider.ownStatus === null) return
    const hosted: Effect.Effect<HostedProcess> = Effect.sync(() => {
      const { sessionId } = runtime.memory().tracker.facts
      return { pid, cwd: spec.cwd, startedAt, sessionId }
    })
    const contents = yield* ownStatus.watch(provider.ownStatus, env, hosted)
    yield* contents.pipe(
      Stream.runForEach((content) =>
        Effect.sync(() => take("session:", content, "session file", detection.readOwnStatus(content)))
      ),
      Effect.forkScoped
    )
  })

  // The transcript's path arrives with the first hook, and changes with the conversation.
  const followTranscript = SubscriptionRef.changes(status).pipe(
    Stream.map((now) => transcriptPathOf(provider, env, now)),
    Stream.changes,
    Stream.switchMap((path) => (path === null ? Stream.empty : Stream.unwrap(tail.follow(path)))),
    Stream.runForEach((line) =>
      Effect.sync(() => {
        const record = jsonOf(line)
        const signals = detection.readTranscript(record)
        // The rest of a transcript is the conversation, which the screen has shown.
        if (signals.length > 0) take("transcript:", record, "transcript", signals)
      })
    ),
    Effect.forkScoped
  )

  return SignalSources.of({
    follow: Effect.fnUntraced(function* (child) {
      if (spec.hooksOff !== undefined)
        runtime.offer({ _tag: "HooksFound", at: clock.currentTimeMillisUnsafe(), off: spec.hooksOff })
      yield* followHooks(child.pid)
      yield* followOwnStatus(child)
      yield* followTranscript
    })
  })
})

export const layer = Layer.effect(SignalSources, make)
