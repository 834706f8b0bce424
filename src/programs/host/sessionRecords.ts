import { Effect, Schedule, Semaphore, Sink, Stream, SubscriptionRef } from "effect"
import { type SessionStatus, turnOver } from "../../domain/Session.ts"
import { absolute } from "../../domain/sessions/SessionRecord.ts"
import type { Tag } from "../../domain/Tag.ts"
import type { ProviderRecord } from "../../services/CLIProvider.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import type { Runtime } from "./runtime.ts"
import { transcriptOf } from "./usage.ts"

/** When a session was last seen is brought up to date at the ends of its turns, no more often than this. */
const pace = "30 seconds"
/** The session's end waits no longer for its record. */
const patience = "1 second"

/** Writes down which sessions the CLI has under this tag, so that they can be resumed. Nothing waits for it, and nothing fails with it. */
export const makeSessionRecords = Effect.fn("makeSessionRecords")(function*(
  options: { readonly tag: Tag; readonly provider: ProviderRecord; readonly env: Readonly<Record<string, string>>; readonly runtime: Runtime }
) {
  const { env, provider, runtime, tag } = options
  const records = yield* SessionRecords
  const turn = yield* Semaphore.make(1)

  /** The session that the status names; null for none. */
  const seenIn = (status: SessionStatus) => {
    const told = transcriptOf(provider, env, status)
    const transcriptPath = told === null ? null : absolute(status.cwd, told)
    const sessionId = status.sessionId ?? provider.resume?.sessionIdOf({ payload: null, transcriptPath, head: "" }) ?? null
    return provider.resume === null || sessionId === null ? null : { cli: provider.id, base: provider.base, sessionId, transcriptPath, cwd: status.cwd }
  }
  type Seen = NonNullable<ReturnType<typeof seenIn>>

  const save = (seen: Seen | null): Effect.Effect<void> =>
    seen === null ? Effect.void : turn.withPermits(1)(Effect.gen(function*() {
      yield* records.record(tag, { ...seen, cwd: yield* records.heal(seen) })
    })).pipe(Effect.catchCause((cause) => Effect.logWarning("the session's record could not be written", cause)))

  return {
    /** Owned by the scope. */
    follow: Effect.gen(function*() {
      // no session is passed over, however soon another one follows: each change is written, and changes are few
      yield* SubscriptionRef.changes(runtime.status).pipe(
        Stream.map(seenIn),
        Stream.changesWith((a, b) => a?.sessionId === b?.sessionId && a?.transcriptPath === b?.transcriptPath),
        Stream.runForEach(save),
        Effect.forkScoped
      )
      yield* SubscriptionRef.changes(runtime.status).pipe(
        Stream.map(({ state }) => state),
        Stream.changes,
        Stream.filter((state) => turnOver.has(state)),
        // the first is the session's beginning
        Stream.drop(1),
        Stream.aggregateWithin(Sink.last(), Schedule.spaced(pace)),
        Stream.runForEach(() => Effect.flatMap(SubscriptionRef.get(runtime.status), (status) => save(seenIn(status)))),
        Effect.forkScoped
      )
    }),
    /** Writes what is known at the session's end. */
    flush: Effect.flatMap(SubscriptionRef.get(runtime.status), (status) => save(seenIn(status))).pipe(
      Effect.timeoutOption(patience),
      Effect.asVoid
    )
  }
})
