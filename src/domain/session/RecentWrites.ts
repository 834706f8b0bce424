import { Schema } from "effect"

/** A file that a session's CLI was about to write, by its real path, and when it last was (ISO 8601). */
export const RecentWrite = Schema.Struct({ path: Schema.String, at: Schema.String })
export type RecentWrite = typeof RecentWrite.Type

/** Milliseconds for which a write is news to other sessions. */
export const writeWindow = 10 * 60_000
/** Files that are remembered of a session. */
export const writesMost = 20

/** A file with the moment in milliseconds since the epoch. */
export interface NotedWrite {
  readonly path: string
  readonly at: number
}

/** What a session was about to write, with these files; the newest last, and what is no news any more left out. */
export const withWrites = (
  noted: ReadonlyArray<NotedWrite>,
  paths: ReadonlyArray<string>,
  at: number
): ReadonlyArray<NotedWrite> => {
  const now = new Set(paths)
  return [
    ...noted.filter((write) => !now.has(write.path) && at - write.at <= writeWindow),
    ...[...now].map((path) => ({ path, at }))
  ].slice(-writesMost)
}

/** A session as far as its writes matter to others. */
export interface WritingSession {
  readonly tag: string
  readonly state: string
  readonly writes?: ReadonlyArray<RecentWrite> | undefined
}

/** A file that several sessions write at a time. */
export interface Clash {
  readonly path: string
  /** The other sessions that do. */
  readonly others: ReadonlyArray<string>
  /** The last of all their writes, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * The files that sessions are about to write though others have just been, or are too; of each session by its tag, the
 * latest first. One that has ended writes nothing any more.
 */
export const clashesOf = (
  sessions: Iterable<WritingSession>,
  now: number
): ReadonlyMap<string, ReadonlyArray<Clash>> => {
  const writers = new Map<string, Map<string, number>>()
  for (const { state, tag, writes = [] } of sessions) {
    if (state === "exited") continue
    for (const { at, path } of writes) {
      const moment = Date.parse(at)
      if (Number.isNaN(moment) || now - moment > writeWindow) continue
      const known = writers.get(path) ?? new Map<string, number>()
      known.set(tag, Math.max(known.get(tag) ?? 0, moment))
      writers.set(path, known)
    }
  }
  const clashes = new Map<string, Array<Clash>>()
  for (const [path, tags] of writers) {
    if (tags.size < 2) continue
    const at = Math.max(...tags.values())
    for (const tag of tags.keys()) {
      const own = clashes.get(tag) ?? []
      own.push({ path, others: [...tags.keys()].filter((other) => other !== tag).toSorted(), at })
      clashes.set(tag, own)
    }
  }
  for (const own of clashes.values()) own.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1))
  return clashes
}
