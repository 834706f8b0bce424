import { Schema } from "effect"

/** The losses if a worktree is removed. A reader agrees by the id, which only these losses have. */
export const Losses = Schema.Struct({ id: Schema.String, lines: Schema.Array(Schema.String) })
export type Losses = typeof Losses.Type

/** A finished worktree, in words; `losses`: nothing was discarded, because this would be lost. */
export const Finished = Schema.Struct({
  said: Schema.String,
  /** The commit that was made of uncommitted changes; null if there were none. */
  committed: Schema.NullOr(Schema.String),
  /** The present commit of the base's branch; null if it was not changed. */
  merged: Schema.NullOr(Schema.String),
  losses: Schema.NullOr(Losses)
})
export type Finished = typeof Finished.Type

/** A worktree and its base, the branch that the main work tree has checked out. A number of null is unknown. */
export const WorktreeState = Schema.Struct({
  branch: Schema.NullOr(Schema.String),
  base: Schema.NullOr(Schema.String),
  /** Files that differ from its last commit, new ones too. */
  uncommitted: Schema.NullOr(Schema.Int),
  /** The numbers of commits that only the worktree and only the base have. */
  ahead: Schema.NullOr(Schema.Int),
  behind: Schema.NullOr(Schema.Int)
})
export type WorktreeState = typeof WorktreeState.Type
