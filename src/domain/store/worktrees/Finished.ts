import { Schema } from "effect"

/** What would be lost with a worktree. Who has read the lines agrees by the id, which another state does not have. */
export const Losses = Schema.Struct({ id: Schema.String, lines: Schema.Array(Schema.String) })
export type Losses = typeof Losses.Type

/** A finished worktree, in words; `losses`: nothing was discarded, because these would be lost. */
export const Finished = Schema.Struct({
  said: Schema.String,
  /** The commit that was made of what was not committed. */
  committed: Schema.NullOr(Schema.String),
  /** The commit that the base's branch has now; null if it was not changed. */
  merged: Schema.NullOr(Schema.String),
  losses: Schema.NullOr(Losses)
})
export type Finished = typeof Finished.Type

/** How a worktree stands to the branch that the main work tree has checked out, its base. */
export const WorktreeState = Schema.Struct({
  branch: Schema.NullOr(Schema.String),
  base: Schema.NullOr(Schema.String),
  /** Files that differ from its last commit, new ones too. */
  uncommitted: Schema.Int,
  /** Commits that the base lacks, and commits of the base that it lacks. */
  ahead: Schema.Int,
  behind: Schema.Int
})
export type WorktreeState = typeof WorktreeState.Type
