import { Effect, Layer, Semaphore } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { QueueRecord } from "../domain/Queue.ts"
import * as QueueLines from "../domain/QueueLines.ts"
import type { QueueFile, QueueFiles } from "../services/QueueFiles.ts"
import { type QueueLog, QueueStore, QueueStoreError } from "../services/QueueStore.ts"

const wrap = (handle: fs.FileHandle): QueueFile => ({
  write: (data) => handle.write(data, 0, data.length).then(({ bytesWritten }) => bytesWritten),
  sync: () => handle.sync(),
  truncate: (size) => handle.truncate(size),
  chmod: (mode) => handle.chmod(mode),
  close: () => handle.close()
})

const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC } = constants

/** The real file operations. */
export const files: QueueFiles = {
  read: (path) => fs.readFile(path),
  open: (path, fresh) => fs.open(path, O_RDWR | O_APPEND | O_CREAT | (fresh ? O_TRUNC : 0), 0o600).then(wrap),
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.rm(path, { force: true }),
  syncDirectory: async (path) => {
    const directory = await fs.open(path, "r")
    try {
      await directory.sync()
    } finally {
      await directory.close()
    }
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "your disk quota is used up; free some space and try again",
  EACCES: "permission denied; the file and its directory must be yours to write",
  EPERM: "permission denied; the file and its directory must be yours to write",
  EROFS: "the file system is read-only",
  EIO: "the disk reports an error"
}

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

const whyOf = (cause: unknown): string => {
  const known = reasons[codeOf(cause)]
  if (known !== undefined) return `${known} (${codeOf(cause)})`
  return cause instanceof Error ? cause.message : String(cause)
}

class ShortWrite extends Error {
  constructor(written: number, wanted: number) {
    super(`only ${written} of ${wanted} bytes could be written; the disk may be full`)
  }
}

/** The store over some file operations; tests give it ones that fail. */
export const make = (files: QueueFiles): QueueStore["Service"] => {
  const operations = (file: string) => {
    const failed = (what: string) => (cause: unknown) => new QueueStoreError({ path: file, what, why: whyOf(cause) })
    const io = (what: string) => <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: failed(what) })
    const newer = () => failed("read")(new Error("a newer leap wrote it; use that version, or move the file away"))
    /** Reads the log; one that is not there is empty. */
    const load = (what: string) =>
      Effect.tryPromise({ try: () => files.read(file), catch: (cause) => cause }).pipe(
        Effect.catch((cause) => codeOf(cause) === "ENOENT" ? Effect.succeed(new Uint8Array()) : failed(what)(cause)),
        Effect.map((bytes) => ({ bytes, ...QueueLines.parse(bytes) }))
      )
    return { failed, io, load, newer }
  }

  const read = Effect.fn("QueueStore.read")(function*(file: string) {
    const { load, newer } = operations(file)
    const log = yield* load("read")
    return log.newer ? yield* newer() : log.records
  })

  const open = Effect.fn("QueueStore.open")(function*(file: string) {
    const { failed, io, load, newer } = operations(file)
    const directory = path.dirname(file)
    const temporary = `${file}.new`
    const close = (handle: QueueFile) => Effect.ignore(Effect.tryPromise(() => handle.close()))

    /** Writes all of it, in as many calls as it takes, and makes it durable. */
    const writeAll = Effect.fnUntraced(function*(what: string, handle: QueueFile, data: Uint8Array) {
      for (let rest = data; rest.length > 0;) {
        const written = yield* io(what)(() => handle.write(rest))
        if (written === 0) return yield* failed(what)(new ShortWrite(data.length - rest.length, data.length))
        rest = rest.subarray(written)
      }
      yield* io(what)(() => handle.sync())
    })

    const found = yield* load("open")
    if (found.newer) return yield* newer()

    // What cannot be read goes beside the log before it leaves the log.
    if (found.damaged.length > 0) {
      const aside = `${file}.damaged`
      const kept = yield* io("set damaged lines aside of")(() =>
        files.read(aside).catch((cause) => codeOf(cause) === "ENOENT" ? new Uint8Array() : Promise.reject(cause))
      )
      const lines = Buffer.concat(found.damaged.flatMap((line) => [line, Buffer.from("\n")]))
      // An earlier try may have been cut off in the middle of a line; this one begins on a line of its own.
      const own = kept.length > 0 && kept.at(-1) !== 10 ? Buffer.concat([Buffer.from("\n"), lines]) : lines
      if (!Buffer.from(kept).includes(lines)) {
        yield* Effect.acquireUseRelease(
          io("set damaged lines aside of")(() => files.open(aside, false)),
          (handle) => writeAll("set damaged lines aside of", handle, own),
          close
        )
      }
    }

    let handle: QueueFile = yield* io("open")(() => files.open(file, false))
    yield* Effect.addFinalizer(() => close(handle))
    /** Bytes of the log that are whole and durable; whether others may be behind them; whether the name is durable. */
    let good = found.end
    let dirty = found.bytes.length > found.end
    let named = false

    /** Brings the file back to what is known to be good. */
    const repair = Effect.fnUntraced(function*(what: string) {
      if (dirty) {
        yield* io(what)(() => handle.truncate(good))
        yield* io(what)(() => handle.sync())
        dirty = false
      }
      if (!named) {
        yield* io(what)(() => files.syncDirectory(directory))
        named = true
      }
    })

    const replace = Effect.fnUntraced(function*(records: ReadonlyArray<QueueRecord>) {
      const data = QueueLines.format(records)
      const fresh = yield* io("compact")(() => files.open(temporary, true))
      yield* Effect.gen(function*() {
        yield* io("compact")(() => fresh.chmod(0o600))
        yield* writeAll("compact", fresh, data)
        yield* io("compact")(() => files.rename(temporary, file))
      }).pipe(Effect.tapError(() =>
        Effect.andThen(close(fresh), Effect.ignore(Effect.tryPromise(() => files.remove(temporary))))
      ))
      // From here on the new file is the log. Until its name is durable nothing more is acknowledged.
      const old = handle
      handle = fresh
      good = data.length
      dirty = false
      named = false
      yield* close(old)
      yield* repair("compact")
    })

    yield* io("open")(() => handle.chmod(0o600))
    if (!found.unended) yield* repair("open")
    if (found.damaged.length > 0 || found.unended) yield* replace(found.records)

    const appendNow = Effect.fnUntraced(function*(records: ReadonlyArray<QueueRecord>) {
      if (records.length === 0) return
      yield* repair("write to")
      const data = QueueLines.format(records)
      const append = Effect.gen(function*() {
        dirty = true
        const written: number = yield* io("write to")(() => handle.write(data))
        if (written < data.length) return yield* failed("write to")(new ShortWrite(written, data.length))
        yield* io("write to")(() => handle.sync())
        dirty = false
        good += data.length
      })
      // A part of a batch must not stay: the next one would be joined to it. Should this fail too, the next append repeats it.
      yield* append.pipe(Effect.tapError(() => Effect.ignore(repair("write to"))))
    })

    // One at a time, and each to its end: an interrupted append would leave nobody to take its half back.
    const turn = yield* Semaphore.make(1)
    const log: QueueLog = {
      records: found.records,
      damaged: found.damaged.length,
      append: Effect.fn("QueueLog.append")((records) => Effect.uninterruptible(turn.withPermits(1)(appendNow(records)))),
      compact: Effect.fn("QueueLog.compact")((records) => Effect.uninterruptible(turn.withPermits(1)(replace(records))))
    }
    return log
  })

  return { open: (file) => Effect.uninterruptible(open(file)), read }
}

/** The queue's log as a file: NDJSON, appended to and synced, one write a batch. */
export const layer: Layer.Layer<QueueStore> = Layer.succeed(QueueStore, make(files))
