import { Context, type Effect, Schema } from "effect"
import type { Changes } from "../domain/store/worktrees/Changes.ts"

/** The changes of a directory cannot be determined. `message` tells the user why. */
export class GitChangesError extends Schema.TaggedError<GitChangesError>()("GitChangesError", {
  message: Schema.String
}) {}

/** Compares a work tree with a commit. */
export class GitChanges extends Context.Service<
  GitChanges,
  {
    /**
     * `against`: a commit by any name. Null: in a linked worktree the commit where it branched off the main one,
     * otherwise the last commit. Runs nothing that the repository configures, and changes nothing in it.
     */
    readonly look: (directory: string, against: string | null) => Effect.Effect<Changes, GitChangesError>
    /** How many files differ from the last commit, untracked ones too; null if unknown or too slow. */
    readonly count: (directory: string) => Effect.Effect<number | null>
  }
>()("leap/services/GitChanges") {}
