import { Deferred, Effect, Stream } from "effect"
import type { AgentEvent, EventOf } from "../../../domain/cli/headless/AgentEvent.ts"

/** The run, with what is counted of its session beside it, from when the CLI has told the session's id. */
export const withCounts = <A extends { readonly _tag: string }, E, R, R2>(
  run: Stream.Stream<AgentEvent | A, E, R>,
  countsOf: (session: string) => Stream.Stream<EventOf<"Used">, never, R2>
): Stream.Stream<AgentEvent | A, E, R | R2> =>
  Stream.unwrap(
    Effect.map(Deferred.make<string>(), (session) =>
      Stream.tap(run, (item) =>
        item._tag === "Started" && "sessionId" in item && typeof item.sessionId === "string"
          ? Deferred.succeed(session, item.sessionId)
          : Effect.void
      ).pipe(Stream.merge(Stream.unwrap(Effect.map(Deferred.await(session), countsOf)), { haltStrategy: "left" }))
    )
  )
