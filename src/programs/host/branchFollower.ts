import { Effect, type Scope, Stream, SubscriptionRef } from "effect"
import { GitView } from "../../services/GitView.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/**
 * Publishes which branch the session's directory has checked out, until the scope ends. It is looked at when what the
 * session does has changed, or its directory: whoever changes branches in it was at work.
 */
export const followBranch: Effect.Effect<void, never, GitView | StatusPublisher | Scope.Scope> = Effect.gen(
  function* () {
    const git = yield* GitView
    const publisher = yield* StatusPublisher
    yield* SubscriptionRef.changes(publisher.status).pipe(
      Stream.changesWith((a, b) => a.state === b.state && a.cwd === b.cwd),
      Stream.runForEach(({ cwd }) => Effect.flatMap(git.branch(cwd), (branch) => publisher.update({ branch }))),
      Effect.forkScoped
    )
  }
)
