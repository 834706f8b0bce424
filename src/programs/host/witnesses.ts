import { Effect, Option, Schema, Stream, SubscriptionRef } from "effect"
import type { SessionEvent } from "../../domain/SessionEvent.ts"
import type { Signal } from "../../domain/Signal.ts"
import type { HostedProcess, ProviderRecord } from "../../services/CLIProvider.ts"
import { FileTail } from "../../services/FileTail.ts"
import { type HookDelivery, HookInbox } from "../../services/HookInbox.ts"
import { OwnStatus } from "../../services/OwnStatus.ts"
import type { Recorder } from "./recorder.ts"
import type { Runtime } from "./runtime.ts"
import { transcriptOf } from "./usage.ts"

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
/** A line's JSON, or null when it is none. */
const parsed = (line: string): unknown => Option.getOrNull(decodeLine(line))

export interface WitnessOptions {
  readonly provider: ProviderRecord
  readonly runtime: Runtime
  readonly recorder: Recorder
  /** Passes an event on with the present time in it. */
  readonly stamp: (event: (at: number) => SessionEvent) => void
  readonly spool: string
  readonly cliPid: number
  /** The environment the CLI runs in. */
  readonly env: Readonly<Record<string, string>>
  readonly hosted: Effect.Effect<HostedProcess>
  /** Told of every hook, before the state machine is. */
  readonly onHook: (hook: HookDelivery) => Effect.Effect<void>
}

/** Listens to what the CLI tells of itself beside its screen: its hooks, its own status file, its transcript. Owned by the scope. */
export const hearWitnesses = Effect.fn("hearWitnesses")(function*(options: WitnessOptions) {
  const { env, provider, recorder, runtime, stamp } = options
  const { detection } = provider
  /** For the record as it came, for the machine as the provider reads it. */
  const heard = (label: string, content: unknown, source: string, signals: ReadonlyArray<Signal>): void => {
    recorder.marker(`${label}${JSON.stringify(content)}`)
    for (const signal of signals) stamp((at) => ({ _tag: "Signaled", at, source, signal }))
  }

  const hooks = yield* (yield* HookInbox).watch({ spool: options.spool, cliPid: options.cliPid })
  yield* hooks.pipe(
    Stream.runForEach((hook) =>
      Effect.andThen(options.onHook(hook), Effect.sync(() => {
        const { event, nested, payload } = hook
        if (nested) recorder.marker(`nested:${event} ${JSON.stringify(payload)}`)
        else heard(`hook:${event} `, payload, `hook ${event}`, detection.readHook(event, payload))
      }))
    ),
    Effect.forkScoped
  )

  if (provider.ownStatus !== null) {
    const contents = yield* (yield* OwnStatus).watch(provider.ownStatus, env, options.hosted)
    yield* contents.pipe(
      Stream.runForEach((content) =>
        Effect.sync(() => heard("session:", content, "session file", detection.readOwnStatus(content)))
      ),
      Effect.forkScoped
    )
  }

  // the transcript's path comes with the first hook, and changes with the conversation
  const tail = yield* FileTail
  yield* SubscriptionRef.changes(runtime.status).pipe(
    Stream.map((status) => transcriptOf(provider, env, status)),
    Stream.changes,
    Stream.switchMap((path) => path === null ? Stream.empty : Stream.unwrap(tail.follow(path))),
    Stream.runForEach((line) =>
      Effect.sync(() => {
        const record = parsed(line)
        const signals = detection.readTranscript(record)
        // the rest of a transcript is the conversation, which the screen has shown
        if (signals.length > 0) heard("transcript:", record, "transcript", signals)
      })
    ),
    Effect.forkScoped
  )
})
