import { Effect, type Scope, Stream, SubscriptionRef } from "effect"
import { GitView } from "../../services/GitView.ts"
import { SessionContext } from "./SessionContext.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/**
 * Publishes which branch the session's directory has checked out, until the scope ends. It is looked at when what the
 * session does has changed: whoever changes branches in it was at work.
 */
export const followBranch: Effect.Effect<void, never, GitView | SessionContext | StatusPublisher | Scope.Scope> =
  Effect.gen(function* () {
    const { spec } = yield* SessionContext
    const git = yield* GitView
    const publisher = yield* StatusPublisher
    const look = Effect.flatMap(git.branch(spec.cwd), (branch) => publisher.update({ branch }))
    yield* SubscriptionRef.changes(publisher.status).pipe(
      Stream.map(({ state }) => state),
      Stream.changes,
      Stream.runForEach(() => look),
      Effect.forkScoped
    )
  })
