import { Effect } from "effect"
import * as fs from "node:fs"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { schemaVersion } from "./recordVersion.ts"
import { StoreError } from "../../services/StoreError.ts"

type Reason = StoreError["reason"]

/** A command that shows the cause, for reasons that have one. */
const mends: { readonly [R in Reason]?: (file: string) => string } = {
  busy: (file) => `fuser -v ${file}`,
  full: (file) => `df -h ${file}`,
  unwritable: (file) => `ls -ld ${file}*`
}

export const failure = (file: string, reason: Reason, why: string) => {
  const mend = mends[reason]?.(file)
  return new StoreError({ store: "record", reason, file, why, ...(mend === undefined ? {} : { mend }) })
}

/** The meaning of SQLite's result codes here. */
const kinds: Readonly<Record<number, readonly [reason: Reason, why: string]>> = {
  5: ["busy", "another process holds it"],
  6: ["busy", "another process holds it"],
  8: ["unwritable", "it, or its directory, is read-only"],
  10: ["full", "the disk reports an error, or has no room for it"],
  11: ["corrupt", "its content is damaged"],
  13: ["full", "the disk is full"],
  14: ["unwritable", "its file cannot be opened, or made, in its directory"],
  23: ["unwritable", "its file may not be read"],
  26: ["corrupt", "it is no database"]
}

/** The error for SQLite's result code; `otherwise` for null and for codes that are not listed here. */
export const recordError = (file: string, code: number | null, otherwise: string): StoreError => {
  const [reason, why] = (code === null ? undefined : kinds[code & 0xff]) ?? ["failed", otherwise]
  return failure(file, reason, why)
}

const whys: Readonly<Record<string, readonly [reason: Reason, why: string]>> = {
  ENOSPC: ["full", "the disk is full"],
  EDQUOT: ["full", "your disk quota is used up"],
  EACCES: ["unwritable", "its permissions forbid it"],
  EPERM: ["unwritable", "its permissions forbid it"],
  EROFS: ["unwritable", "the file system is read-only"],
  ELOOP: ["unwritable", "it is a link"],
  EISDIR: ["unwritable", "it is a directory"],
  ENOENT: ["unwritable", "its directory is not there"]
}

/** Runs a call to the file system, and explains its failure. */
export const onDisk = <A>(file: string, run: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({
    try: run,
    catch: (cause) => {
      const [reason, why] = whys[errorCodeOf(cause)] ?? ["failed", errorTextOf(cause)]
      return failure(file, reason, why)
    }
  })

/** The identity of the file behind a name; null for none. Fails if its directory cannot be read. */
export const identity = (file: string): Effect.Effect<string | null, StoreError> =>
  onDisk(file, () => {
    const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? null : `${stat.dev}:${stat.ino}`
  })

/** The failure of a record with a later schema. */
export const newer = (file: string, version: number) =>
  failure(file, "newer", `a later leap wrote it (its schema is ${version}, this leap knows ${schemaVersion})`)
