import { Context, type Effect, Schema } from "effect"
import type { FinishWish } from "../domain/store/worktrees/Finish.ts"
import { type Finished, Losses } from "../domain/store/worktrees/Finished.ts"
import type { WorktreeRecord } from "../domain/store/worktrees/WorktreeRecord.ts"
import { exitCode } from "../domain/words/session/exitCode.ts"

/** A worktree was not created or not removed; `message` says what happened and what to do. */
export class WorktreeError extends Schema.TaggedError<WorktreeError>()("WorktreeError", {
  kind: Schema.Literals(["usage", "refused", "failed", "notInstalled"]),
  message: Schema.String,
  /** All reasons against its removal, if they are losses to which the user may agree. */
  losses: Schema.optionalKey(Losses)
}) {
  get exitCode(): number {
    return exitCode[this.kind]
  }
}

export interface WorktreeRequest {
  readonly tag: string
  /** A directory of the repository. */
  readonly directory: string
  /** Null for a branch named after the session. */
  readonly branch: string | null
  /** A commit by any name; null for the one checked out in `directory`. */
  readonly from: string | null
  /** A line for `sh` that prepares the worktree; null for none. */
  readonly setup: string | null
  /** The user's setting; null for a directory beside the repository. */
  readonly parent: string | null
}

export interface MadeWorktree {
  readonly record: WorktreeRecord
  /** Notes for the user, one line each. */
  readonly notes: ReadonlyArray<string>
  /** The session already had this worktree. */
  readonly reused: boolean
}

/** `branch`: the branch was deleted too. `ignored`: the first deleted names that git ignores, or "". */
export interface RemovedWorktree {
  readonly gone: boolean
  readonly branch: boolean
  /** Why the branch was kept. */
  readonly branchKept?: string
  readonly ignored: string
}

/** Creates and removes git worktrees for sessions; only its own, with a record and leap's mark. */
export class Worktrees extends Context.Service<
  Worktrees,
  {
    /** The worktrees that leap made and did not remove. A damaged record is left out with a warning. */
    readonly all: Effect.Effect<ReadonlyArray<WorktreeRecord>>
    /**
     * Creates a worktree, copies the files of `.worktreeinclude` into it and runs its setup; `tell` gets the output
     * lines. If that fails or is interrupted, the worktree is removed, unless somebody has begun to work in it; the
     * error then says so.
     */
    readonly make: (
      request: WorktreeRequest,
      tell: (line: string) => Effect.Effect<void>
    ) => Effect.Effect<MadeWorktree, WorktreeError>
    /** Removes a worktree that was just made, as after a failed setup; returns why it stays, if it does. */
    readonly undo: (record: WorktreeRecord) => Effect.Effect<ReadonlyArray<string>>
    /**
     * Removes a worktree, and its branch if leap made it; refuses if anything would be lost except the losses with the
     * id `agreed`. `users`: its known users. With an `agreed`, null too, what git ignores is a loss as well.
     */
    readonly remove: (
      record: WorktreeRecord,
      users: ReadonlyArray<string>,
      agreed?: string | null
    ) => Effect.Effect<RemovedWorktree, WorktreeError>
    /**
     * Commits the changes in a directory's worktree, and merges its branch into its base, or changes nothing. Runs git
     * as the user does, with the repository's hooks.
     */
    readonly finish: (directory: string, wish: FinishWish) => Effect.Effect<Finished, WorktreeError>
  }
>()("leap/services/Worktrees") {}
