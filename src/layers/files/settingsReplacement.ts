import { Clock, Effect, type FileSystem, Option, type PlatformError } from "effect"
import * as crypto from "node:crypto"
import * as path from "node:path"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"
import { StoreError } from "../../services/StoreError.ts"
import type { MadeDirectories } from "./madeDirectories.ts"
import { foreignFileReason } from "./foreignFileReason.ts"
import { sameContent } from "./sameContent.ts"

const linkLimit = 40
/** The age in milliseconds at which a temporary file counts as abandoned: writing one takes milliseconds. */
const abandonedAfter = 60_000
const temporaryPrefix = (file: string): string => `.${path.basename(file)}.leap-`

/** For users who write the file in another way. */
const otherwise = ", or let 'leap hooks install --print' say what to write where"

const linkedInCircle = ["its links lead in a circle", "mend the links, then run this again"] as const

const reasons: Readonly<Record<string, readonly [why: string, mend?: string]>> = {
  EACCES: ["permission denied", `make it and its directory writable for you, then run this again${otherwise}`],
  EPERM: ["it is not permitted", `make it and its directory writable for you, then run this again${otherwise}`],
  EROFS: ["its file system is read-only", `run this again where it can be written${otherwise}`],
  ENOSPC: ["the disk is full", "free some space, then run this again"],
  EDQUOT: ["your disk quota is used up", "free some space, then run this again"],
  ELOOP: linkedInCircle,
  EISDIR: ["it is a directory", "move it away, then run this again"],
  ENOTDIR: ["a part of its path is not a directory", "move that away, then run this again"]
}

/** A file that could not be read or written. `mend`: what the user can do. */
export const unchanged = (file: string, why: string, mend?: string) =>
  new StoreError({ store: "wiring", reason: "failed", file, why, ...(mend === undefined ? {} : { mend }) })

export const failed =
  (file: string) =>
  (error: PlatformError.PlatformError): StoreError => {
    const cause = error.reason.cause
    const [why, mend] = reasons[errorCodeOf(cause)] ?? [cause instanceof Error ? cause.message : error.message]
    return unchanged(file, why, mend)
  }

export const isMissing = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"

const kinds: { readonly [Type in FileSystem.File.Type]?: string } = {
  FIFO: "a named pipe",
  Socket: "a socket",
  BlockDevice: "a device",
  CharacterDevice: "a device"
}

const notRegular = (file: string, type: FileSystem.File.Type): StoreError =>
  unchanged(
    file,
    `it is ${kinds[type] ?? "something unknown"}, not a regular file`,
    "put a regular file in its place, or none, then run this again"
  )

/** Reads and replaces settings files that belong to other programs. */
export const make = (fs: FileSystem.FileSystem, made: MadeDirectories) => {
  /** The file's bytes; null: no file. Only a regular file is read or replaced. */
  const bytesOf = (file: string) =>
    Effect.gen(function* () {
      const { type } = yield* fs.stat(file)
      if (type !== "File" && type !== "Directory") return yield* notRegular(file, type)
      return yield* fs.readFile(file)
    }).pipe(
      Effect.catchIf(
        (error) => error._tag === "PlatformError" && isMissing(error),
        () => Effect.succeed(null)
      ),
      Effect.mapError((error) => (error._tag === "PlatformError" ? failed(file)(error) : error))
    )

  /** The file that links lead to, even if the last of them is dangling. */
  const targetOf = Effect.fnUntraced(function* (file: string) {
    let target = file
    for (let links = 0; links < linkLimit; links++) {
      const real = yield* fs.realPath(target).pipe(
        Effect.catchIf(isMissing, () => Effect.succeed(null)),
        Effect.mapError(failed(file))
      )
      if (real !== null) return real
      const link = yield* Effect.orElseSucceed(fs.readLink(target), () => null)
      if (link === null) return target
      target = path.resolve(path.dirname(target), link)
    }
    return yield* unchanged(file, ...linkedInCircle)
  })

  /** After a crash there is the old file or the new one. Not every file system can sync directories. */
  const syncDirectory = (dir: string) =>
    Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(dir, { flag: "r" }), (handle) => handle.sync)))

  /** Deletes temporary files of killed writers. Those of living writers are younger. */
  const sweep = Effect.fnUntraced(
    function* (file: string) {
      const [dir, prefix] = [path.dirname(file), temporaryPrefix(file)]
      const now = yield* Clock.currentTimeMillis
      for (const name of yield* fs.readDirectory(dir)) {
        if (!name.startsWith(prefix)) continue
        const left = path.join(dir, name)
        const { mtime } = yield* fs.stat(left)
        if (Option.isSome(mtime) && now - mtime.value.getTime() > abandonedAfter) yield* fs.remove(left)
      }
    },
    (swept) => Effect.ignore(swept)
  )

  /**
   * Replaces a file in one step, or deletes it (`content` null); false if it has changed since it was read. The owner
   * stays, and so does the mode if none is given.
   */
  const replace = (file: string, before: Uint8Array | null, content: Uint8Array | null, mode: number | null) =>
    Effect.gen(function* () {
      if (content === null) {
        if (!sameContent(yield* bytesOf(file), before)) return false
        yield* sweep(file)
        yield* fs.remove(file)
        yield* syncDirectory(path.dirname(file))
        return true
      }
      const missing = yield* made.missing(path.dirname(file))
      yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
      yield* made.remember(missing)
      const old = before === null ? null : yield* fs.stat(file)
      yield* sweep(file)
      const temporary = yield* Effect.acquireRelease(
        Effect.succeed(path.join(path.dirname(file), `${temporaryPrefix(file)}${crypto.randomUUID()}`)),
        (temporary) => Effect.ignore(fs.remove(temporary, { force: true }))
      )
      const handle = yield* fs.open(temporary, { flag: "wx", mode: 0o600 })
      yield* handle.writeAll(content)
      if (old !== null) yield* keepOwner(file, temporary, old, yield* handle.stat)
      yield* fs.chmod(temporary, mode ?? (old === null ? 0o600 : old.mode & 0o7777))
      yield* handle.sync
      if (!sameContent(yield* bytesOf(file), before)) return false
      yield* fs.rename(temporary, file)
      yield* syncDirectory(path.dirname(file))
      return true
    }).pipe(
      Effect.scoped,
      Effect.mapError((error) => (error._tag === "PlatformError" ? failed(file)(error) : error))
    )

  /** Gives the new file the owner and the group of the replaced one; fails if that is not permitted. */
  const keepOwner = Effect.fnUntraced(function* (
    file: string,
    temporary: string,
    old: FileSystem.File.Info,
    now: FileSystem.File.Info
  ) {
    const [uid, gid, ownUid, ownGid] = [old.uid, old.gid, now.uid, now.gid].map(Option.getOrUndefined)
    if (uid === undefined || gid === undefined || (uid === ownUid && gid === ownGid)) return
    yield* fs
      .chown(temporary, uid, gid)
      .pipe(
        Effect.mapError(() =>
          unchanged(
            file,
            foreignFileReason({ uid, gid }, { uid: ownUid ?? -1, gid: ownGid ?? -1 }),
            uid === ownUid ? "give it to a group of yours, then run this again" : "run this as that user"
          )
        )
      )
  })

  return { bytesOf, targetOf, replace }
}
