import { Schema } from "effect"

/** Distinguishes two states of a file without reading it. Big numbers are text, because JSON would round them. */
export const Stamp = Schema.Struct({
  dev: Schema.String,
  ino: Schema.String,
  size: Schema.Natural,
  mtimeNs: Schema.String
})
export type Stamp = typeof Stamp.Type

/** One entry of a piece as the move found it, and what became of it. The path is relative; "" is the piece itself. */
export const SnapshotEntry = Schema.Struct({
  path: Schema.String,
  kind: Schema.Literals(["file", "directory", "link"]),
  mode: Schema.Natural,
  at: Stamp,
  target: Schema.NullOr(Schema.String),
  /** Not null for a file that had to be copied; earlier versions of leap have its SHA-256 here. */
  hash: Schema.NullOr(Schema.String),
  /** Its state at the destination, once it is there. */
  there: Schema.NullOr(Stamp)
})
export type SnapshotEntry = typeof SnapshotEntry.Type

/** The hash of a copied file: its bytes are compared with the source's own. */
export const copiedHash = "compared"

/** A piece as it was found, parents before children; null if it was missing. */
export const Snapshot = Schema.NullOr(Schema.Array(SnapshotEntry))
export type Snapshot = typeof Snapshot.Type

export const isSameFile = (a: Stamp, b: Stamp): boolean => a.dev === b.dev && a.ino === b.ino

export const isUnchanged = (a: Stamp, b: Stamp): boolean =>
  isSameFile(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs

/** How an entry differs from the present state. New content of a hard link is no change: both ends share it. */
export type Change =
  | { readonly _tag: "Gone"; readonly entry: SnapshotEntry }
  | { readonly _tag: "New"; readonly entry: SnapshotEntry }
  | { readonly _tag: "Other"; readonly entry: SnapshotEntry }
  | { readonly _tag: "Grown"; readonly entry: SnapshotEntry; readonly now: SnapshotEntry }

const changeOf = (before: SnapshotEntry, now: SnapshotEntry): Change | null => {
  const other: Change = { _tag: "Other", entry: now }
  if (before.kind !== now.kind) return other
  if (before.kind === "link") return before.target === now.target ? null : other
  if (!isSameFile(before.at, now.at)) return other
  // A directory's names are compared one by one. A file without a hash is a hard link, so its content is the same.
  if (before.kind === "directory" || before.hash === null || isUnchanged(before.at, now.at)) return null
  return now.at.size > before.at.size ? { _tag: "Grown", entry: before, now } : other
}

/** All changes between two snapshots of a piece. */
export const changes = (before: Snapshot, now: Snapshot): ReadonlyArray<Change> => {
  const known = new Map((before ?? []).map((entry) => [entry.path, entry]))
  const found = new Set((now ?? []).map((entry) => entry.path))
  const changed: Array<Change> = (before ?? [])
    .filter((entry) => !found.has(entry.path))
    .map((entry) => ({ _tag: "Gone", entry }))
  for (const entry of now ?? []) {
    const old = known.get(entry.path)
    const change: Change | null = old === undefined ? { _tag: "New", entry } : changeOf(old, entry)
    if (change !== null) changed.push(change)
  }
  return changed
}

const changeWords = {
  Gone: "is gone",
  New: "is new",
  Other: "was replaced or changed",
  Grown: "was written to"
} as const

export const describe = (changed: ReadonlyArray<Change>): string => {
  const listed = changed
    .slice(0, 5)
    .map(({ _tag, entry }) => `${entry.path === "" ? "it" : JSON.stringify(entry.path)} ${changeWords[_tag]}`)
  return [...listed, ...(changed.length > 5 ? [`${changed.length - 5} more`] : [])].join(", ")
}
