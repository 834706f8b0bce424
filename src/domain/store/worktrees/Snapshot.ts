import { DateTime, Schema } from "effect"

/**
 * What a session's work tree was at a moment. Its files that differ from git's index are objects beside this, and
 * `index` has all. Times are milliseconds since the epoch.
 */
export const Snapshot = Schema.Struct({
  schema: Schema.Literal(1),
  began: Schema.Finite,
  /** When everything was read: what was written between `began` and then may be in it. */
  at: Schema.Finite,
  /** The top of the work tree; null if there is none. */
  top: Schema.NullOr(Schema.String),
  /** Why nothing could be noted; null if it was. */
  why: Schema.NullOr(Schema.String),
  /** Files that were too large, or that could not be read. */
  left: Schema.Array(Schema.String),
  /** Repositories of their own, which are not looked into. */
  within: Schema.Array(Schema.String)
})
export type Snapshot = typeof Snapshot.Type

export const SnapshotText = Schema.fromJsonString(Snapshot)

/** What `Changes` says of it. */
export const notedOf = ({ at, began, left }: Snapshot) => ({
  at: DateTime.formatIso(DateTime.makeUnsafe(at)),
  late: Math.max(0, at - began),
  left: left.length
})

/** Files that differ from git's index, at most, and the bytes of one and of all: more would cost each turn too much. */
export const snapshotMost = { files: 1_000, fileBytes: 4 << 20, bytes: 32 << 20 } as const
