import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import { copyFile, type FileHandle, open } from "node:fs/promises"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { systemErrorText } from "../../domain/store/relocation/systemErrorText.ts"
import { type FileInfo, RelocationFiles } from "../../services/RelocationFiles.ts"
import { FileFault } from "../../services/FileFault.ts"

type Io<A = void> = Effect.Effect<A, FileFault>

const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY, W_OK, X_OK } =
  fs.constants

/** The bytes of one read or write. Two such pieces are in memory, whatever the file's size. */
const chunk = 1 << 20

const shorter = (why: string): Error => Object.assign(new Error(why), { code: "ESTALE" })

const failed =
  (operation: string, path: string) =>
  (cause: unknown): FileFault => {
    const code = errorCodeOf(cause)
    return new FileFault({
      operation,
      path,
      code,
      why: systemErrorText(code, errorTextOf(cause))
    })
  }

/**
 * Synchronous, for operations that a local file system does in memory: a thread for each of ten thousand calls would
 * cost more than the calls.
 */
const at = <A>(operation: string, path: string, run: () => A): Io<A> =>
  Effect.try({ try: run, catch: failed(operation, path) })

/** For operations that wait for a disk. An interruption waits for its end: nothing is written after the undoing. */
const long = <A>(operation: string, path: string, run: (signal: AbortSignal) => Promise<A>): Io<A> =>
  Effect.callback<A, FileFault>((resume) => {
    const control = new AbortController()
    const done = run(control.signal).then(
      (value) => resume(Effect.succeed(value)),
      (cause: unknown) => resume(Effect.fail(failed(operation, path)(cause)))
    )
    return Effect.promise(() => {
      control.abort()
      return done
    })
  })

const using = async <A>(handle: FileHandle, use: (handle: FileHandle) => Promise<A>): Promise<A> => {
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

/** Passes the bytes between two offsets to `take`, and reads ahead meanwhile. */
const pump = async (
  handle: FileHandle,
  start: number,
  end: number,
  signal: AbortSignal,
  take: (bytes: Uint8Array) => Promise<unknown> | void
) => {
  const buffers = [
    Buffer.allocUnsafe(Math.min(chunk, Math.max(1, end - start))),
    Buffer.allocUnsafe(Math.min(chunk, Math.max(1, end - start)))
  ] as const
  const read = async (which: 0 | 1, from: number) => {
    if (from >= end) return 0
    const { bytesRead } = await handle.read(buffers[which], 0, Math.min(chunk, end - from), from)
    if (bytesRead === 0) throw shorter(`it ends at ${from} of ${end} bytes`)
    return bytesRead
  }
  let offset = start
  let which: 0 | 1 = 0
  for (let length = await read(which, offset); length > 0;) {
    signal.throwIfAborted()
    offset += length
    const bytes: Uint8Array = buffers[which].subarray(0, length)
    which = which === 0 ? 1 : 0
    const [next] = await Promise.all([read(which, offset), take(bytes)])
    length = next
  }
}

const writeAll = async (handle: FileHandle, bytes: Uint8Array) => {
  for (let rest = bytes; rest.length > 0;) {
    const { bytesWritten } = await handle.write(rest)
    rest = rest.subarray(bytesWritten)
  }
}

const secondsOf = (mtimeNs: string): number => Number(BigInt(mtimeNs)) / 1e9

/**
 * Files up to this size are read and written in one call: with thousands of them, threads would cost more than the
 * work.
 */
const small = 1 << 18

/** The first `size` bytes of a small file. */
const smallBytes = (path: string, size: number): Buffer => {
  const descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW)
  try {
    const bytes = Buffer.alloc(size)
    let length = 0
    while (length < size) {
      const read = fs.readSync(descriptor, bytes, length, size - length, length)
      if (read === 0) throw shorter(`it ends at ${length} of ${size} bytes`)
      length += read
    }
    return bytes
  } finally {
    fs.closeSync(descriptor)
  }
}

const copySmall = (from: string, to: string, mode: number, mtimeNs: string, size: number): void => {
  const bytes = smallBytes(from, size)
  const target = fs.openSync(to, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  try {
    for (let rest: Uint8Array = bytes; rest.length > 0;) rest = rest.subarray(fs.writeSync(target, rest))
    fs.fchmodSync(target, mode)
    fs.futimesSync(target, secondsOf(mtimeNs), secondsOf(mtimeNs))
  } finally {
    fs.closeSync(target)
  }
}

/** Fills the buffer with the bytes from this offset on. */
const readWhole = async (handle: FileHandle, buffer: Buffer, offset: number): Promise<void> => {
  for (let length = 0; length < buffer.length;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, offset + length)
    if (bytesRead === 0) throw shorter(`it ends at ${offset + length} of ${offset + buffer.length} bytes`)
    length += bytesRead
  }
}

const compareLarge = (path: string, other: string, size: number, signal: AbortSignal): Promise<boolean> =>
  open(path, O_RDONLY | O_NOFOLLOW).then((one) =>
    using(one, async (one) =>
      using(await open(other, O_RDONLY | O_NOFOLLOW), async (two) => {
        const buffers = [Buffer.allocUnsafe(chunk), Buffer.allocUnsafe(chunk)] as const
        for (let offset = 0; offset < size; offset += chunk) {
          signal.throwIfAborted()
          const length = Math.min(chunk, size - offset)
          const [mine, theirs] = [buffers[0].subarray(0, length), buffers[1].subarray(0, length)]
          await Promise.all([readWhole(one, mine, offset), readWhole(two, theirs, offset)])
          if (!mine.equals(theirs)) return false
        }
        return true
      })
    )
  )

/** Shares the source's blocks if the file system supports it; otherwise returns false and makes nothing. */
const clone = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE).then(
    () => true,
    (cause: unknown) => {
      if (errorCodeOf(cause) === "EEXIST") throw cause
      return false
    }
  )

const copy: RelocationFiles["Service"]["copy"] = (from, to, { mode, mtimeNs, size }) =>
  size <= small
    ? at("copy", from, () => copySmall(from, to, mode, mtimeNs, size))
    : long("copy", from, async (signal) => {
        const cloned = await clone(from, to)
        return using(
          await open(to, cloned ? O_WRONLY | O_NOFOLLOW : O_WRONLY | O_CREAT | O_EXCL, 0o600),
          async (target) => {
            await (cloned
              ? target.truncate(size)
              : using(await open(from, O_RDONLY | O_NOFOLLOW), (source) =>
                  pump(source, 0, size, signal, (bytes) => writeAll(target, bytes))
                ))
            await target.chmod(mode)
            await target.utimes(secondsOf(mtimeNs), secondsOf(mtimeNs))
          }
        )
      })

const kindOf = (stats: fs.BigIntStats): FileInfo["kind"] =>
  stats.isFile() ? "file" : stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "link" : "other"

const nameOf = (bytes: Buffer): string => {
  const name = bytes.toString("utf8")
  if (!Buffer.from(name).equals(bytes))
    throw Object.assign(new Error(`a name in it is no UTF-8: ${JSON.stringify(name)}`), { code: "EILSEQ" })
  return name
}

/** Files that are made durable at once. */
const syncsAtOnce = 16

const syncAt = (path: string, flags: number): Io =>
  long("make durable", path, async () => using(await open(path, flags), (handle) => handle.sync()))

const writeText = (path: string, flags: number, text: string) =>
  long("write", path, async () =>
    using(await open(path, flags, 0o600), async (handle) => {
      await writeAll(handle, Buffer.from(text))
      await handle.sync()
    })
  )

/** The real file operations. */
export const files: RelocationFiles["Service"] = {
  user: process.geteuid?.() ?? null,
  stat: (path) =>
    at("look at", path, () => {
      const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
      return stats === undefined
        ? null
        : {
            kind: kindOf(stats),
            mode: Number(stats.mode & 0o7777n),
            uid: Number(stats.uid),
            stamp: {
              dev: String(stats.dev),
              ino: String(stats.ino),
              size: Number(stats.size),
              mtimeNs: String(stats.mtimeNs)
            }
          }
    }),
  list: (path) => at("read the directory", path, () => fs.readdirSync(path, { encoding: "buffer" }).map(nameOf).sort()),
  readLink: (path) => at("read the link", path, () => nameOf(fs.readlinkSync(path, { encoding: "buffer" }))),
  realPath: (path) => at("look at", path, () => fs.realpathSync.native(path)),
  isWritable: (path) =>
    at("look at", path, () => {
      try {
        fs.accessSync(path, W_OK | X_OK)
        return true
      } catch (cause) {
        if (["EACCES", "EPERM", "EROFS"].includes(errorCodeOf(cause))) return false
        throw cause
      }
    }),
  makeDirectory: (path, mode) => at("make the directory", path, () => fs.mkdirSync(path, { mode })),
  link: (from, to) => at("make", to, () => fs.linkSync(from, to)),
  symlink: (text, path) => at("make the link", path, () => fs.symlinkSync(text, path)),
  rename: (from, to) => at("rename", from, () => fs.renameSync(from, to)),
  unlink: (path) => at("delete", path, () => fs.unlinkSync(path)),
  removeDirectory: (path) => at("delete the directory", path, () => fs.rmdirSync(path)),
  setMode: (path, mode) => at("set the permissions of", path, () => fs.chmodSync(path, mode)),
  // Node takes seconds as a double, which keeps them to a quarter of a microsecond.
  setTime: (path, mtimeNs) =>
    at("set the time of", path, () => fs.lutimesSync(path, secondsOf(mtimeNs), secondsOf(mtimeNs))),
  copy,
  append: (from, to, start, end) =>
    long("append to", to, async (signal) =>
      using(await open(to, O_WRONLY | O_APPEND | O_NOFOLLOW), async (target) => {
        if ((await target.stat()).size !== start) throw shorter(`it has not the ${start} bytes that were there`)
        await using(await open(from, O_RDONLY | O_NOFOLLOW), (source) =>
          pump(source, start, end, signal, (bytes) => writeAll(target, bytes))
        )
        await target.sync()
      })
    ),
  compare: (path, other, size) =>
    size <= small
      ? at("read", path, () => smallBytes(path, size).equals(smallBytes(other, size)))
      : long("read", path, (signal) => compareLarge(path, other, size, signal)),
  byteAt: (path, offset) =>
    at("read", path, () => {
      const descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW)
      try {
        const byte = Buffer.alloc(1)
        if (fs.readSync(descriptor, byte, 0, 1, offset) === 0) throw shorter(`it ends before byte ${offset}`)
        return byte[0]!
      } finally {
        fs.closeSync(descriptor)
      }
    }),
  sync: (paths) =>
    Effect.forEach(paths, (path) => syncAt(path, O_RDONLY | O_NOFOLLOW), { concurrency: syncsAtOnce, discard: true }),
  syncDirectory: (path) => syncAt(path, O_RDONLY),
  head: (path, length) =>
    at("read", path, () => {
      const descriptor = fs.openSync(path, O_RDONLY)
      try {
        const bytes = Buffer.alloc(Math.min(length, fs.fstatSync(descriptor).size))
        return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, 0)).toString("utf8")
      } finally {
        fs.closeSync(descriptor)
      }
    }),
  read: (path) =>
    at("read", path, () => {
      try {
        return fs.readFileSync(path, "utf8")
      } catch (cause) {
        if (errorCodeOf(cause) === "ENOENT") return null
        throw cause
      }
    }),
  create: (path, text) => writeText(path, O_WRONLY | O_CREAT | O_EXCL, text),
  extend: (path, text) => writeText(path, O_WRONLY | O_APPEND | O_NOFOLLOW, text)
}

/** Files by Node. */
export const layer: Layer.Layer<RelocationFiles> = Layer.succeed(RelocationFiles, files)
