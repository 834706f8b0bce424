import { Schema } from "effect"

/** What leap knows of a worktree that it made; kept until the worktree is gone. Paths are real and absolute. */
export const WorktreeRecord = Schema.Struct({
  id: Schema.String,
  /** The session that it was made for. */
  tag: Schema.String,
  path: Schema.String,
  /** The main work tree, or the bare repository. */
  main: Schema.String,
  /** git's directory that all work trees of the repository share. */
  common: Schema.String,
  /** git's directory of this worktree; null until git has made it. */
  admin: Schema.NullOr(Schema.String),
  branch: Schema.String,
  /** The branch is leap's own too: it was not there before. */
  madeBranch: Schema.Boolean,
  /** The branch was not there, and leap is about to make it: noted before, since leap may be killed just behind it. */
  makesBranch: Schema.optionalKey(Schema.Boolean),
  /** Where it began. */
  commit: Schema.String,
  /** Directories that were made for it and hold it, the innermost first. */
  directories: Schema.Array(Schema.String),
  /** Null while it is being made; milliseconds since the epoch at which it was ready for its session. */
  readyAt: Schema.NullOr(Schema.Finite),
  /** The process that makes it. */
  maker: Schema.Int,
  /** When that process began, as the system has it: its number may be another one's by now. Null: not known. */
  makerBirth: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type WorktreeRecord = typeof WorktreeRecord.Type

/** The file that a record is kept in. */
export const WorktreeFile = Schema.Struct({ schema: Schema.Literal(1), worktree: WorktreeRecord })

/** The directory is the worktree's, or is in it. */
export const isWithin = (directory: string, path: string): boolean =>
  directory === path || directory.startsWith(path.endsWith("/") ? path : `${path}/`)

/** The worktree that was made for the session; the newest where there are several. */
export const worktreeOf = (records: ReadonlyArray<WorktreeRecord>, tag: string): WorktreeRecord | null =>
  records
    .filter((record) => record.tag === tag)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .at(-1) ?? null

/** The worktree of leap's that a directory is in. */
export const worktreeAt = (records: ReadonlyArray<WorktreeRecord>, directory: string): WorktreeRecord | null =>
  records.find((record) => isWithin(directory, record.path)) ?? null
