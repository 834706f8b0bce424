import { Deferred, Effect, Stream } from "effect"
import type { AgentEvent } from "../../../domain/cli/headless/AgentEvent.ts"

/** The run, which completes this with the id of its session once the CLI has told it. */
export const withSession = <A extends { readonly _tag: string }, E, R>(
  run: Stream.Stream<AgentEvent | A, E, R>,
  session: Deferred.Deferred<string>
): Stream.Stream<AgentEvent | A, E, R> =>
  Stream.tap(run, (item) =>
    item._tag === "Started" && "sessionId" in item && typeof item.sessionId === "string"
      ? Deferred.succeed(session, item.sessionId)
      : Effect.void
  )
