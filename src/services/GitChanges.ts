import { Context, type Effect, Schema } from "effect"
import type { Changes } from "../domain/places/worktrees/Changes.ts"

/** A directory's changes cannot be told; `message`: why, for people. */
export class GitChangesError extends Schema.TaggedError<GitChangesError>()("GitChangesError", {
  message: Schema.String
}) {}

/** Tells what a work tree has that a commit has not. */
export class GitChanges extends Context.Service<
  GitChanges,
  {
    /**
     * `against`: a commit by any name; null: in a worktree the commit at which it left the main one's branch, else the
     * last commit. Runs nothing that the repository names, and changes nothing in it.
     */
    readonly look: (directory: string, against: string | null) => Effect.Effect<Changes, GitChangesError>
    /** How many files differ from the last commit, new ones too; null where that cannot be told, or takes too long. */
    readonly count: (directory: string) => Effect.Effect<number | null>
  }
>()("leap/services/GitChanges") {}
