import { Effect } from "effect"
import { closeSync, openSync } from "node:fs"
import * as fs from "node:fs/promises"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { FileFault, insteadOf } from "../../services/FileFault.ts"

/** What went wrong with a file, by the system's code, and what to do. */
export const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: "its directory does not exist",
  ENOTDIR: "a part of its path is not a directory",
  EISDIR: "it is a directory",
  EACCES: "permission denied; it and its directory must be yours to write",
  EPERM: "permission denied; it and its directory must be yours to write",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "your disk quota is used up; free some space and try again",
  ELOOP: "its links lead in a circle",
  EIO: "the disk reports an error"
}

const faultOf = (cause: unknown) => new FileFault({ code: errorCodeOf(cause), why: errorTextOf(cause) })

/** One call to the file system. */
export const call = <A>(run: () => Promise<A>): Effect.Effect<A, FileFault> =>
  Effect.tryPromise({ try: run, catch: faultOf })

/** Synchronous calls, for small files of leap's own. */
export const callNow = <A>(run: () => A): Effect.Effect<A, FileFault> => Effect.try({ try: run, catch: faultOf })

/** Opens a file while it is used. */
export const withFile = <A, E>(
  path: string,
  flags: string | number,
  use: (handle: fs.FileHandle) => Effect.Effect<A, E>
): Effect.Effect<A, E | FileFault> =>
  Effect.acquireUseRelease(
    call(() => fs.open(path, flags)),
    use,
    (handle) => call(() => handle.close())
  )

/** The result, or `otherwise` if there is no such file. */
export const orAbsent = <A, B>(effect: Effect.Effect<A, FileFault>, otherwise: B): Effect.Effect<A | B, FileFault> =>
  insteadOf(otherwise, "ENOENT")(effect)

/** The result, or null after any failure. */
export const orNull = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A | null> =>
  Effect.orElseSucceed(effect, () => null)

/** Creates a missing file, for the user alone; false: something is there, which is not opened. */
export const createAlone = (file: string): boolean => {
  try {
    closeSync(openSync(file, "ax", 0o600))
    return true
  } catch (cause) {
    if (errorCodeOf(cause) !== "EEXIST") throw cause
    return false
  }
}
