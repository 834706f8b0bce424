import { Context, Deferred, Effect, Layer } from "effect"
import type { ExitStatus } from "../../domain/words/session/Session.ts"

/** The end of the session, reached when its CLI is gone and its last status is on disk. */
export class SessionEnd extends Context.Service<
  SessionEnd,
  {
    readonly wait: Effect.Effect<ExitStatus>
    readonly isReached: Effect.Effect<boolean>
    /** Only the first call counts. */
    readonly reach: (exit: ExitStatus) => Effect.Effect<void>
  }
>()("leap/programs/host/SessionEnd") {}

const make = Effect.gen(function* () {
  const exit = yield* Deferred.make<ExitStatus>()
  return SessionEnd.of({
    wait: Deferred.await(exit),
    isReached: Deferred.isDone(exit),
    reach: (status) => Effect.asVoid(Deferred.succeed(exit, status))
  })
})

export const layer = Layer.effect(SessionEnd, make)
