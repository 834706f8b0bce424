import { Schema } from "effect"
import { writeWindow } from "./WriteClashes.ts"

/** A file that a session's CLI was about to write: its real path, and the last such time (ISO 8601). */
export const RecentWrite = Schema.Struct({ path: Schema.String, at: Schema.String })
export type RecentWrite = typeof RecentWrite.Type

export const writesMost = 20

export interface NotedWrite {
  readonly path: string
  readonly at: number
}

/** The remembered writes and these files, the newest last, without those that are too old. */
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
