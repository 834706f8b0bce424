import { Effect, Layer, Result } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { FileLock } from "../services/FileLock.ts"
import { SharedFile, SharedFileError } from "../services/SharedFile.ts"

/** A change takes some milliseconds; whoever cannot have the lock for so long meets a process that hangs. */
const patience = "10 seconds"
/** Programs that know nothing of the lock may write meanwhile: so often a change is made again on what they wrote. */
const attempts = 5
/** As the kernel's own limit for links that lead to links. */
const linkLimit = 40

const reasons: Readonly<Record<string, string>> = {
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

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

const failed = (file: string) => (cause: unknown): SharedFileError =>
  new SharedFileError({ file, why: reasons[codeOf(cause)] ?? (cause instanceof Error ? cause.message : String(cause)) })

const absent = <A>(cause: unknown, otherwise: A): A => {
  if (codeOf(cause) === "ENOENT") return otherwise
  throw cause
}

const bytesOf = (file: string): Promise<Uint8Array | null> => fs.readFile(file).catch((cause: unknown) => absent(cause, null))

/** The file that links lead to, also when the last of them leads nowhere yet. */
const targetOf = async (file: string): Promise<string> => {
  let target = file
  for (let links = 0; links < linkLimit; links++) {
    const real = await fs.realpath(target).catch((cause: unknown) => absent(cause, null))
    if (real !== null) return real
    const link = await fs.readlink(target).catch(() => null)
    if (link === null) return target
    target = path.resolve(path.dirname(target), link)
  }
  throw Object.assign(new Error(), { code: "ELOOP" })
}

const equal = (a: Uint8Array | null, b: Uint8Array | null): boolean => a === null || b === null ? a === b : Buffer.compare(a, b) === 0

/** Not every file system can do this for directories. */
const syncDirectory = async (dir: string): Promise<void> => {
  const handle = await fs.open(dir, "r").catch(() => null)
  if (handle === null) return
  await handle.sync().catch(() => {})
  await handle.close()
}

/** A new file is the user's alone. */
const newMode = 0o600
const create = (file: string): Promise<fs.FileHandle> => fs.open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, newMode)

/** Puts the content in the file's place in one step; false when the file is no longer what was read. */
const replace = async (file: string, before: Uint8Array | null, content: Uint8Array): Promise<boolean> => {
  // one name for all: only who holds the lock writes it, and what a crash left behind is written over
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.leap-new`)
  const handle = await create(temporary).catch(async () => {
    await fs.rm(temporary, { force: true })
    return create(temporary)
  })
  try {
    try {
      await handle.writeFile(content)
      const old = before === null ? null : await fs.stat(file).catch((cause: unknown) => absent(cause, null))
      if (old !== null) {
        // another's file that we may write stays another's where the system lets us
        if (old.uid !== process.getuid?.() || old.gid !== process.getgid?.()) await handle.chown(old.uid, old.gid).catch(() => {})
        if ((old.mode & 0o7777) !== newMode) await handle.chmod(old.mode & 0o7777)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (!equal(await bytesOf(file), before)) {
      await fs.rm(temporary, { force: true })
      return false
    }
    await fs.rename(temporary, file)
  } catch (cause) {
    await fs.rm(temporary, { force: true }).catch(() => {})
    throw cause
  }
  await syncDirectory(path.dirname(file))
  return true
}

const make = Effect.gen(function*() {
  const lock = yield* FileLock
  const io = (file: string) => <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: failed(file) })

  const change = <E>(file: string, edit: (content: Uint8Array | null) => Result.Result<Uint8Array, E>): Effect.Effect<Uint8Array, E | SharedFileError> =>
    Effect.gen(function*() {
      const run = io(file)
      yield* lock.acquire(`${file}.lock`, patience).pipe(
        Effect.mapError((error) =>
          new SharedFileError({ file, why: error._tag === "FileBusyError" ? "another process is changing it and does not come to an end" : error.why }))
      )
      // begun is done: a write that goes on while the lock is given back would be without one
      return yield* Effect.uninterruptible(Effect.gen(function*() {
        for (let attempt = 0; attempt < attempts; attempt++) {
          const target = yield* run(() => targetOf(file))
          const before = yield* run(() => bytesOf(target))
          const content = edit(before)
          if (Result.isFailure(content)) return yield* Effect.fail(content.failure)
          if (equal(before, content.success) || (yield* run(() => replace(target, before, content.success)))) return content.success
        }
        return yield* new SharedFileError({ file, why: "another program keeps changing it; close that program and try again" })
      }))
    }).pipe(Effect.scoped, Effect.withSpan("SharedFile.change"))

  return SharedFile.of({ read: (file) => io(file)(() => bytesOf(file)), change })
})

/** Shared files on disk: temporary file, fsync, rename. */
export const layer: Layer.Layer<SharedFile, never, FileLock> = Layer.effect(SharedFile, make)
