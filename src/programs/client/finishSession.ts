import { Effect } from "effect"
import { busyProblem } from "../../domain/store/worktrees/Finish.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { CallOf } from "../../domain/surfaces/operations/calls.ts"
import { WorktreeError, Worktrees } from "../../services/Worktrees.ts"

const refused = (message: string) => new WorktreeError({ kind: "refused", message })

/** Finishes the worktree that a session lives in; only an ended session's is discarded, by `discard`. */
export const finishSession = Effect.fn("finishSession")(function* (
  { cwd, state, tag }: Pick<SessionStatus, "cwd" | "state" | "tag">,
  { base, how, message }: Omit<CallOf<"Finish">, "_tag">
) {
  const problem =
    how === "discard" ? `session '${tag}' runs in its worktree: 'leap stop ${tag}' first` : busyProblem(tag, state)
  if (problem !== null || how === "discard") return yield* refused(problem ?? "")
  return yield* (yield* Worktrees).finish(cwd, { how, message, base })
})
