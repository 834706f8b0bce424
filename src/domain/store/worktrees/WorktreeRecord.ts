import { Schema } from "effect"
import { isWithin } from "../../words/text/paths.ts"

/** What leap knows of a worktree that it made, until the worktree is gone. Paths are real and absolute. */
export const WorktreeRecord = Schema.Struct({
  id: Schema.String,
  tag: Schema.String,
  path: Schema.String,
  /** The main work tree, or the bare repository. */
  main: Schema.String,
  /** git's directory that all work trees of the repository share. */
  common: Schema.String,
  /** git's directory of this worktree; null until git has made it. */
  admin: Schema.NullOr(Schema.String),
  branch: Schema.String,
  /** leap made the branch too. */
  madeBranch: Schema.Boolean,
  /** leap is about to make the branch. This is recorded first, because leap may be killed as soon as it is made. */
  makesBranch: Schema.optionalKey(Schema.Boolean),
  commit: Schema.String,
  /** Directories that were made to hold it, the innermost first. */
  directories: Schema.Array(Schema.String),
  /** When it was ready for its session, in milliseconds since the epoch; null while it is being made. */
  readyAt: Schema.NullOr(Schema.Finite),
  maker: Schema.Int,
  /** The birth of the process `maker`, because its pid may be reused. Null: unknown. */
  makerBirth: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type WorktreeRecord = typeof WorktreeRecord.Type

export const WorktreeFile = Schema.Struct({ schema: Schema.Literal(1), worktree: WorktreeRecord })

/** The session's worktree at this directory, where it lived last, else the newest that was made for it. */
export const worktreeOf = (
  records: ReadonlyArray<WorktreeRecord>,
  tag: string,
  directory: string | null = null
): WorktreeRecord | null => {
  const own = records.filter((record) => record.tag === tag)
  return (
    (directory === null ? null : worktreeAt(own, directory)) ??
    own.toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1) ??
    null
  )
}

/** The innermost worktree at this directory. */
export const worktreeAt = (records: ReadonlyArray<WorktreeRecord>, directory: string): WorktreeRecord | null =>
  records
    .filter((record) => isWithin(directory, record.path))
    .toSorted((a, b) => a.path.length - b.path.length)
    .at(-1) ?? null
