import { Context, Effect, Layer, Schedule, type Scope, Semaphore, Sink, Stream, SubscriptionRef } from "effect"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { turnOver } from "../../domain/words/session/states.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { CliCommand, transcriptPathOf } from "./CliCommand.ts"
import { SessionContext } from "./SessionContext.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { absolute } from "../../domain/words/text/paths.ts"

/** Records the CLI's sessions under this tag, for resuming. Nothing waits for it or fails with it. */
export class RecordKeeper extends Context.Service<
  RecordKeeper,
  {
    readonly follow: Effect.Effect<void, never, Scope.Scope>
    readonly flush: Effect.Effect<void>
  }
>()("leap/programs/host/RecordKeeper") {}

/** The least time between updates of when a session was last seen, at the ends of turns. */
const pace = "30 seconds"
/** The session's end waits no longer for its record. */
const timeout = "1 second"

const make = Effect.gen(function* () {
  const { spec, tag } = yield* SessionContext
  const provider = yield* CLIProvider
  const { env } = yield* CliCommand
  const { memory, status } = yield* StatusPublisher
  const records = yield* SessionRecords
  const mutex = yield* Semaphore.make(1)

  const sessionIn = (status: SessionStatus) => {
    const named = transcriptPathOf(provider, env, status)
    const transcriptPath = named === null ? null : absolute(status.cwd, named)
    const sessionId =
      status.sessionId ?? provider.resume?.sessionIdOf({ payload: null, transcriptPath, head: "" }) ?? null
    return provider.resume === null || sessionId === null
      ? null
      : {
          cli: provider.id,
          base: provider.base,
          sessionId,
          transcriptPath,
          cwd: status.cwd,
          ...(memory().tracker.facts.directory === null ? {} : { told: true }),
          ...(spec.words === undefined ? {} : { words: spec.words })
        }
  }
  type Seen = NonNullable<ReturnType<typeof sessionIn>>

  const save = (seen: Seen | null): Effect.Effect<void> =>
    seen === null
      ? Effect.void
      : mutex
          .withPermits(1)(
            Effect.gen(function* () {
              yield* records.record(tag, { ...seen, cwd: yield* records.heal(seen) })
            })
          )
          .pipe(Effect.catchCause((cause) => Effect.logWarning("the session's record could not be written", cause)))

  let hasComeUp = false
  const comesUp = ({ sessionId, state }: SessionStatus): boolean =>
    (sessionId !== null && sessionId !== spec.resumes?.sessionId) || (state !== "starting" && state !== "exited")
  /** Whether the CLI ended at once by itself with an error. A code above 128 means a signal, which others send. */
  const hasFailedAtOnce = ({ exit }: SessionStatus): boolean =>
    !hasComeUp && exit !== null && exit.code !== null && exit.code > 0 && exit.code < 128
  /** Saves the final state. Reverts arguments with which the CLI did not start, for the tag and the conversation. */
  const saveLast = (status: SessionStatus): Effect.Effect<void> => {
    const seen = sessionIn(status)
    const { wordsBefore } = spec
    if (wordsBefore === undefined || !hasFailedAtOnce(status)) return save(seen)
    return records.started(tag, provider.id, wordsBefore.tag).pipe(
      Effect.catchCause((cause) => Effect.logWarning("the session's arguments were not taken back", cause)),
      Effect.andThen(save(seen === null ? null : { ...seen, words: wordsBefore.conversation }))
    )
  }

  return RecordKeeper.of({
    follow: Effect.gen(function* () {
      yield* SubscriptionRef.changes(status).pipe(
        Stream.filter(comesUp),
        Stream.take(1),
        Stream.runForEach(() => Effect.sync(() => void (hasComeUp = true))),
        Effect.forkScoped
      )
      // Each change is written, because sessions change rarely and none may be skipped.
      yield* SubscriptionRef.changes(status).pipe(
        Stream.map(sessionIn),
        Stream.changesWith((a, b) => JSON.stringify(a) === JSON.stringify(b)),
        Stream.runForEach(save),
        Effect.forkScoped
      )
      yield* SubscriptionRef.changes(status).pipe(
        Stream.map(({ state }) => state),
        Stream.changes,
        Stream.filter((state) => turnOver.has(state)),
        Stream.drop(1),
        Stream.aggregateWithin(Sink.last(), Schedule.spaced(pace)),
        Stream.runForEach(() => Effect.flatMap(SubscriptionRef.get(status), (status) => save(sessionIn(status)))),
        Effect.forkScoped
      )
    }),
    flush: Effect.flatMap(SubscriptionRef.get(status), saveLast).pipe(Effect.timeoutOption(timeout), Effect.asVoid)
  })
})

export const layer = Layer.effect(RecordKeeper, make)
