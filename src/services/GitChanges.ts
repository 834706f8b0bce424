import { Context, type Effect, Schema } from "effect"
import type { Changes } from "../domain/store/worktrees/Changes.ts"
import type { Moment } from "../domain/store/worktrees/moments.ts"

/** The changes of a directory cannot be determined. `message` tells the user why. */
export class GitChangesError extends Schema.TaggedError<GitChangesError>()("GitChangesError", {
  message: Schema.String
}) {}

/** Compares a work tree with a commit, or with what was noted of it. */
export class GitChanges extends Context.Service<
  GitChanges,
  {
    /**
     * `against`: a commit by any name, or a {@link Moment}, noted in the directory `place`. Null: in a linked worktree
     * the commit where it branched off the main one, otherwise the last commit. Runs nothing that the repository
     * configures, and changes nothing in it.
     */
    readonly look: (directory: string, against: string | null, place: string) => Effect.Effect<Changes, GitChangesError>
    /**
     * Notes in the directory `place` what the work tree has now, as this moment, and removes what was noted as that
     * before; a session's start removes all. Why nothing could be noted is noted, too. `began`: when the moment was, in
     * milliseconds since the epoch.
     */
    readonly note: (directory: string, place: string, moment: Moment, began: number) => Effect.Effect<void>
    /** How many files differ from the last commit, untracked ones too; null if unknown or too slow. */
    readonly count: (directory: string) => Effect.Effect<number | null>
  }
>()("leap/services/GitChanges") {}
