import { Effect, Layer, Result, Semaphore } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { QueueRecord } from "../../domain/engine/queue/Queue.ts"
import { asideOf, damageOf, splitLines } from "../../domain/engine/queue/QueueDamage.ts"
import * as QueueLines from "../../domain/engine/queue/QueueLines.ts"
import { type QueueLog, QueueStore } from "../../services/QueueStore.ts"
import { call, fileReasons, orAbsent } from "./fileCalls.ts"
import { readRegular } from "./regularFile.ts"
import { StoreError } from "../../services/StoreError.ts"
import { FileFault } from "../../services/FileFault.ts"

/** An open file of the queue store. */
export interface QueueFile {
  /** One write call; may write less than requested. */
  readonly write: (data: Uint8Array) => Effect.Effect<number, FileFault>
  readonly sync: Effect.Effect<void, FileFault>
  readonly truncate: (size: number) => Effect.Effect<void, FileFault>
  readonly chmod: (mode: number) => Effect.Effect<void, FileFault>
  readonly close: Effect.Effect<void, FileFault>
}

/** The file operations of the queue store. They are few, so that a test can make each of them fail. */
export interface QueueFiles {
  readonly read: (path: string) => Effect.Effect<Uint8Array, FileFault>
  /** Opens for appending; creates a missing file (0600), empties it with `fresh`. */
  readonly open: (path: string, fresh: boolean) => Effect.Effect<QueueFile, FileFault>
  readonly rename: (from: string, to: string) => Effect.Effect<void, FileFault>
  readonly remove: (path: string) => Effect.Effect<void, FileFault>
  readonly syncDirectory: (path: string) => Effect.Effect<void, FileFault>
}

const wrap = (handle: fs.FileHandle): QueueFile => ({
  write: (data) =>
    Effect.map(
      call(() => handle.write(data, 0, data.length)),
      ({ bytesWritten }) => bytesWritten
    ),
  sync: call(() => handle.sync()),
  truncate: (size) => call(() => handle.truncate(size)),
  chmod: (mode) => call(() => handle.chmod(mode)),
  close: call(() => handle.close())
})

const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC } = constants

/** The real file operations. */
export const files: QueueFiles = {
  read: (path) => call(() => readRegular(path)),
  open: (path, fresh) =>
    Effect.map(
      call(() => fs.open(path, O_RDWR | O_APPEND | O_CREAT | (fresh ? O_TRUNC : 0), 0o600)),
      wrap
    ),
  rename: (from, to) => call(() => fs.rename(from, to)),
  remove: (path) => call(() => fs.rm(path, { force: true })),
  syncDirectory: (path) =>
    Effect.acquireUseRelease(
      call(() => fs.open(path, "r")),
      (directory) => call(() => directory.sync()),
      (directory) => call(() => directory.close())
    )
}

const whyOf = ({ code, why }: FileFault): string => {
  const known = fileReasons[code]
  return known === undefined ? why : `${known} (${code})`
}

const shortWrite = (written: number, wanted: number) =>
  new FileFault({ code: "", why: `only ${written} of ${wanted} bytes could be written; the disk may be full` })

/** The content of a file; a missing one counts as empty. */
const orEmpty = (content: Effect.Effect<Uint8Array, FileFault>) => orAbsent(content, new Uint8Array())

/** The store over given file operations; tests pass ones that fail. */
export const make = (files: QueueFiles): QueueStore["Service"] => {
  const operations = (file: string) => {
    const failed = (what: string) => (cause: FileFault) =>
      new StoreError({ store: "queue", reason: "failed", file, what, why: whyOf(cause) })
    const during = (what: string) => Effect.mapError(failed(what))
    const newer = () =>
      new StoreError({
        store: "queue",
        reason: "newer",
        file,
        what: "read",
        why: "a newer leap wrote it; use that version, or move the file away"
      })
    const load = (what: string) =>
      orEmpty(files.read(file)).pipe(
        during(what),
        Effect.map((bytes) => ({ bytes, ...QueueLines.parse(bytes) }))
      )
    return { failed, during, load, newer }
  }

  /** The damaged lines that hosts have set aside; a file of them that cannot be read counts as one. */
  const setAside = (file: string) =>
    files.read(asideOf(file)).pipe(
      Effect.map(splitLines),
      Effect.catch(({ code }) => Effect.succeed(code === "ENOENT" ? [] : [new Uint8Array()]))
    )

  const read = Effect.fn("QueueStore.read")(function* (file: string) {
    const { load, newer } = operations(file)
    const log = yield* load("read")
    return log.newer ? yield* newer() : log.records
  })

  const recover = Effect.fn("QueueStore.recover")(function* (file: string) {
    const { load, newer } = operations(file)
    const loaded = yield* Effect.result(load("read"))
    if (Result.isFailure(loaded) || loaded.success.newer) {
      const { message, reason } = Result.isFailure(loaded) ? loaded.failure : newer()
      return {
        records: [],
        problem: { kind: reason === "newer" ? ("newer" as const) : ("unreadable" as const), message, file }
      }
    }
    const { damaged, records } = loaded.success
    return { records, problem: damageOf(file, [...damaged, ...(yield* setAside(file))]) }
  })

  const damage = Effect.fn("QueueStore.damage")(function* (file: string) {
    return damageOf(file, yield* setAside(file))
  })

  const open = Effect.fn("QueueStore.open")(function* (file: string) {
    const { during, failed, load, newer } = operations(file)
    const directory = path.dirname(file)
    const temporary = `${file}.new`
    const close = (handle: QueueFile) => Effect.ignore(handle.close)

    /** Writes all bytes, in as many calls as necessary, and makes them durable. */
    const writeAll = Effect.fnUntraced(function* (what: string, handle: QueueFile, data: Uint8Array) {
      for (let rest = data; rest.length > 0;) {
        const written = yield* handle.write(rest).pipe(during(what))
        if (written === 0) return yield* failed(what)(shortWrite(data.length - rest.length, data.length))
        rest = rest.subarray(written)
      }
      yield* handle.sync.pipe(during(what))
    })

    const loaded = yield* load("open")
    if (loaded.newer) return yield* newer()

    // Unreadable lines are copied to a file beside the log before they are removed from it.
    if (loaded.damaged.length > 0) {
      const aside = asideOf(file)
      const existing = yield* orEmpty(files.read(aside)).pipe(during("set damaged lines aside of"))
      const lines = Buffer.concat(loaded.damaged.flatMap((line) => [line, Buffer.from("\n")]))
      // An earlier attempt may have ended within a line; this one starts on a new line.
      const addition = existing.length > 0 && existing.at(-1) !== 10 ? Buffer.concat([Buffer.from("\n"), lines]) : lines
      if (!Buffer.from(existing).includes(lines)) {
        yield* Effect.acquireUseRelease(
          files.open(aside, false).pipe(during("set damaged lines aside of")),
          (handle) => writeAll("set damaged lines aside of", handle, addition),
          close
        )
      }
    }

    let handle: QueueFile = yield* files.open(file, false).pipe(during("open"))
    yield* Effect.addFinalizer(() => close(handle))
    /**
     * How many bytes of the log are complete and durable; whether more may follow them; whether the file's name is
     * durable.
     */
    let durableSize = loaded.end
    let dirty = loaded.bytes.length > loaded.end
    let nameIsDurable = false

    const repair = Effect.fnUntraced(function* (what: string) {
      if (dirty) {
        yield* handle.truncate(durableSize).pipe(during(what))
        yield* handle.sync.pipe(during(what))
        dirty = false
      }
      if (!nameIsDurable) {
        yield* files.syncDirectory(directory).pipe(during(what))
        nameIsDurable = true
      }
    })

    const replace = Effect.fnUntraced(function* (records: ReadonlyArray<QueueRecord>) {
      const data = QueueLines.format(records)
      const fresh = yield* files.open(temporary, true).pipe(during("compact"))
      yield* Effect.gen(function* () {
        yield* fresh.chmod(0o600).pipe(during("compact"))
        yield* writeAll("compact", fresh, data)
        yield* files.rename(temporary, file).pipe(during("compact"))
      }).pipe(Effect.tapError(() => Effect.andThen(close(fresh), Effect.ignore(files.remove(temporary)))))
      // From here on the new file is the log. Nothing is acknowledged until its name is durable.
      const old = handle
      handle = fresh
      durableSize = data.length
      dirty = false
      nameIsDurable = false
      yield* close(old)
      yield* repair("compact")
    })

    yield* handle.chmod(0o600).pipe(during("open"))
    if (!loaded.unended) yield* repair("open")
    if (loaded.damaged.length > 0 || loaded.unended) yield* replace(loaded.records)

    const appendNow = Effect.fnUntraced(function* (records: ReadonlyArray<QueueRecord>) {
      if (records.length === 0) return
      yield* repair("write to")
      const data = QueueLines.format(records)
      const append = Effect.gen(function* () {
        dirty = true
        const written: number = yield* handle.write(data).pipe(during("write to"))
        if (written < data.length) return yield* failed("write to")(shortWrite(written, data.length))
        yield* handle.sync.pipe(during("write to"))
        dirty = false
        durableSize += data.length
      })
      // No part of a batch may stay, because the next batch would be joined to it. If the repair fails too, the next
      // append repeats it.
      yield* append.pipe(Effect.tapError(() => Effect.ignore(repair("write to"))))
    })

    // One at a time, and not interruptible: an interrupted append would leave a part of a batch in the file.
    const mutex = yield* Semaphore.make(1)
    const log: QueueLog = {
      records: loaded.records,
      damaged: loaded.damaged.length,
      append: Effect.fn("QueueLog.append")((records) =>
        Effect.uninterruptible(mutex.withPermits(1)(appendNow(records)))
      ),
      compact: Effect.fn("QueueLog.compact")((records) =>
        Effect.uninterruptible(mutex.withPermits(1)(replace(records)))
      )
    }
    return log
  })

  return { open: (file) => Effect.uninterruptible(open(file)), read, recover, damage }
}

/** The queue's log as a file: NDJSON, appended and synced, one write for each batch. */
export const layer: Layer.Layer<QueueStore> = Layer.succeed(QueueStore, make(files))
