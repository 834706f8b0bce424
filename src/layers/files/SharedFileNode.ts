import { Effect, Layer, Result } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { FileLock } from "../../services/FileLock.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { call, fileReasons, orAbsent, orNull } from "./fileCalls.ts"
import { foreignFileReason } from "./foreignFileReason.ts"
import { readRegular } from "./regularFile.ts"
import { sameContent } from "./sameContent.ts"
import { isBusy, StoreError } from "../../services/StoreError.ts"
import { FileFault } from "../../services/FileFault.ts"

/** A change takes some milliseconds. A holder that keeps the lock for this long hangs. */
const timeout = "10 seconds"
/** The most attempts of a change, since a program that ignores the lock may write meanwhile. */
const attempts = 5
const linkLimit = 40

const failed =
  (file: string) =>
  ({ code, why }: FileFault): StoreError =>
    new StoreError({ store: "file", reason: "failed", file, why: fileReasons[code] ?? why })

const bytesOf = (file: string): Effect.Effect<Uint8Array | null, FileFault> =>
  orAbsent(
    call(() => readRegular(file)),
    null
  )

/** The file that links lead to, even if the last of them is dangling. */
const targetOf = Effect.fnUntraced(function* (file: string) {
  let target = file
  for (let links = 0; links < linkLimit; links++) {
    const current = target
    const real = yield* orAbsent(
      call(() => fs.realpath(current)),
      null
    )
    if (real !== null) return real
    const link = yield* orNull(call(() => fs.readlink(current)))
    if (link === null) return target
    target = path.resolve(path.dirname(target), link)
  }
  return yield* new FileFault({ code: "ELOOP", why: "" })
})

/** Not every file system can sync directories. */
const syncDirectory = Effect.fnUntraced(function* (dir: string) {
  const handle = yield* orNull(call(() => fs.open(dir, "r")))
  if (handle === null) return
  yield* orNull(call(() => handle.sync()))
  yield* call(() => handle.close())
})

/** A new file is readable by the user only. */
const newMode = 0o600

/** Writes a new file, with the owner and the mode of the replaced one. */
const fill = Effect.fnUntraced(function* (handle: fs.FileHandle, content: Uint8Array, place: string, isNew: boolean) {
  yield* call(() => handle.writeFile(content))
  const old = isNew
    ? null
    : yield* orAbsent(
        call(() => fs.stat(place)),
        null
      )
  if (old !== null) {
    // A file of another user or group keeps its owner, or is not replaced.
    const own = yield* call(() => handle.stat())
    if (old.uid !== own.uid || old.gid !== own.gid)
      yield* call(() => handle.chown(old.uid, old.gid)).pipe(
        Effect.mapError(() => new FileFault({ code: "", why: foreignFileReason(old, own) }))
      )
    if ((old.mode & 0o7777) !== newMode) yield* call(() => handle.chmod(old.mode & 0o7777))
  }
  yield* call(() => handle.sync())
})

/** A fixed name: only the lock's holder writes it, and the next holder deletes the file of a killed one. */
const temporaryOf = (file: string): string => path.join(path.dirname(file), `.${path.basename(file)}.leap-new`)

/**
 * Replaces the file's content in one step; false if the file has changed since it was read. Must not be interrupted.
 */
const replace = Effect.fnUntraced(function* (file: string, before: Uint8Array | null, content: Uint8Array) {
  const temporary = temporaryOf(file)
  const create = call(() => fs.open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, newMode))
  const discard = call(() => fs.rm(temporary, { force: true }))
  const handle = yield* create
  const replaced = yield* Effect.gen(function* () {
    const filled = yield* Effect.exit(fill(handle, content, file, before === null))
    yield* call(() => handle.close())
    yield* filled
    if (!sameContent(yield* bytesOf(file), before)) {
      yield* discard
      return false
    }
    yield* call(() => fs.rename(temporary, file))
    return true
  }).pipe(Effect.tapError(() => orNull(discard)))
  if (replaced) yield* syncDirectory(path.dirname(file))
  return replaced
})

const make = Effect.gen(function* () {
  const lock = yield* FileLock
  const change = <E>(
    file: string,
    edit: (content: Uint8Array | null) => Result.Result<Uint8Array, E>
  ): Effect.Effect<Uint8Array, E | StoreError> =>
    Effect.gen(function* () {
      const withReason = Effect.mapError(failed(file))
      yield* lock.acquire(`${file}.lock`, timeout).pipe(
        Effect.mapError(
          (error) =>
            new StoreError({
              store: "file",
              reason: error.reason,
              file,
              why: isBusy(error) ? "another process is changing it and does not come to an end" : error.why
            })
        )
      )
      // Not interruptible: a write after the lock's release would be unprotected.
      return yield* Effect.uninterruptible(
        Effect.gen(function* () {
          for (let attempt = 0; attempt < attempts; attempt++) {
            const target = yield* targetOf(file).pipe(withReason)
            yield* orNull(call(() => fs.rm(temporaryOf(target), { force: true })))
            const before = yield* bytesOf(target).pipe(withReason)
            const content = edit(before)
            if (Result.isFailure(content)) return yield* Effect.fail(content.failure)
            if (
              sameContent(before, content.success) ||
              (yield* replace(target, before, content.success).pipe(withReason))
            )
              return content.success
          }
          return yield* new StoreError({
            store: "file",
            reason: "busy",
            file,
            why: "another program keeps changing it; close that program and try again"
          })
        })
      )
    }).pipe(Effect.scoped, Effect.withSpan("SharedFile.change"))

  return SharedFile.of({ read: (file) => Effect.mapError(bytesOf(file), failed(file)), change })
})

/** Shared files on disk: temporary file, fsync, rename. */
export const layer: Layer.Layer<SharedFile, never, FileLock> = Layer.effect(SharedFile, make)
