import { Schema } from "effect"
import { writeWindow } from "./WriteClashes.ts"

/** A file that a session's CLI was about to write, by its real path, and when it last was (ISO 8601). */
export const RecentWrite = Schema.Struct({ path: Schema.String, at: Schema.String })
export type RecentWrite = typeof RecentWrite.Type

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
