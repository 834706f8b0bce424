import { Effect } from "effect"
import * as fs from "node:fs"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { RecordStoreError } from "../../services/RecordStore.ts"
import { schemaVersion } from "./recordVersion.ts"

type Kind = RecordStoreError["kind"]

/** What SQLite's result codes mean here. */
const kinds: Readonly<Record<number, readonly [kind: Kind, why: string]>> = {
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

/** What a failure of SQLite's with this result code means; null and codes that are not listed here: `otherwise`. */
export const recordError = (file: string, code: number | null, otherwise: string): RecordStoreError => {
  const [kind, why] = (code === null ? undefined : kinds[code]) ?? ["failed", otherwise]
  return new RecordStoreError({ kind, file, why })
}

const whys: Readonly<Record<string, readonly [kind: Kind, why: string]>> = {
  ENOSPC: ["full", "the disk is full"],
  EDQUOT: ["full", "your disk quota is used up"],
  EACCES: ["unwritable", "its permissions forbid it"],
  EPERM: ["unwritable", "its permissions forbid it"],
  EROFS: ["unwritable", "the file system is read-only"],
  ELOOP: ["unwritable", "it is a link"],
  EISDIR: ["unwritable", "it is a directory"],
  ENOENT: ["unwritable", "its directory is not there"]
}

/** A call to the file system. */
export const onDisk = <A>(file: string, run: () => A): Effect.Effect<A, RecordStoreError> =>
  Effect.try({
    try: run,
    catch: (cause) => {
      const [kind, why] = whys[errorCodeOf(cause)] ?? ["failed", errorTextOf(cause)]
      return new RecordStoreError({ kind, file, why })
    }
  })

/** Which file a name leads to; null for none. Fails where its directory may not be looked into. */
export const identity = (file: string): Effect.Effect<string | null, RecordStoreError> =>
  onDisk(file, () => {
    const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? null : `${stat.dev}:${stat.ino}`
  })

/** The failure of a record that this leap cannot read. */
export const newer = (file: string, version: number) =>
  new RecordStoreError({
    kind: "newer",
    file,
    why: `a later leap wrote it (its schema is ${version}, this leap knows ${schemaVersion})`
  })
