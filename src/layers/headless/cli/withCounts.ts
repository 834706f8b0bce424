import { Deferred, type Duration, Effect, Schedule, type Scope, Stream } from "effect"
import type { AgentEvent, EventOf } from "../../../domain/cli/headless/AgentEvent.ts"

/** The run, with what a look at its session counts, again and again, once the CLI has told the session's id. */
export const withCounts = <A extends { readonly _tag: string }, E, R, R2>(
  run: Stream.Stream<AgentEvent | A, E, R>,
  pace: Duration.Input,
  lookFor: (session: string) => Effect.Effect<Effect.Effect<ReadonlyArray<EventOf<"Used">>>, never, R2>
): Stream.Stream<AgentEvent | A, E, R | Exclude<R2, Scope.Scope>> =>
  Stream.unwrap(
    Effect.map(Deferred.make<string>(), (session) => {
      const counts = Effect.map(Effect.flatMap(Deferred.await(session), lookFor), (look) =>
        Stream.repeat(Stream.fromIterableEffect(look), Schedule.spaced(pace))
      )
      return Stream.tap(run, (item) =>
        item._tag === "Started" && "sessionId" in item && typeof item.sessionId === "string"
          ? Deferred.succeed(session, item.sessionId)
          : Effect.void
      ).pipe(Stream.merge(Stream.unwrap(counts), { haltStrategy: "left" }))
    })
  )
