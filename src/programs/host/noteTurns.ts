import { Clock, Effect, type Scope, Stream, SubscriptionRef } from "effect"
import { nextTurn, noTurn } from "../../domain/engine/tracker/TurnMark.ts"
import type { Moment } from "../../domain/store/worktrees/moments.ts"
import { viewOf } from "../../domain/engine/machine/SessionMachine.ts"
import { GitChanges } from "../../services/GitChanges.ts"
import { SessionContext } from "./SessionContext.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/**
 * Notes what the session's work tree is now, and again whenever a turn begins, beside all else: nothing waits for it.
 * Of turns that begin meanwhile only the last one is noted.
 */
export const noteTurns: Effect.Effect<void, never, GitChanges | SessionContext | StatusPublisher | Scope.Scope> =
  Effect.gen(function* () {
    const git = yield* GitChanges
    const { paths, startedAt } = yield* SessionContext
    const { memory, status } = yield* StatusPublisher
    const { cwd } = yield* SubscriptionRef.get(status)
    const began = yield* Clock.currentTimeMillis
    const note = (directory: string, moment: Moment, at: number) =>
      Effect.catchCause(git.note(directory, paths.snapshots, moment, at), (cause) =>
        Effect.logWarning("what its work tree has could not be noted", cause)
      )
    let mark = noTurn(startedAt)
    yield* SubscriptionRef.changes(status).pipe(
      Stream.map(() => (mark = nextTurn(mark, memory().tracker.facts, viewOf(memory()).state))),
      Stream.filter(({ isNone }) => !isNone),
      Stream.map(({ began }) => began),
      Stream.changes,
      Stream.buffer({ capacity: 1, strategy: "sliding" }),
      Stream.runForEach((began) => Effect.flatMap(SubscriptionRef.get(status), ({ cwd }) => note(cwd, ":turn", began))),
      (turns) => Effect.andThen(note(cwd, ":start", began), turns),
      Effect.forkScoped
    )
  })
