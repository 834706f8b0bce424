import { type Cause, Effect, Layer, Queue, Stream } from "effect"
import * as fs from "node:fs/promises"
import { dirname, join } from "node:path"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { FileTail, type TailChunk } from "../../services/FileTail.ts"
import { call, orNull, withFile } from "./fileCalls.ts"
import type { FileFault } from "../../services/FileFault.ts"

/** The interval of reads while the directory's watcher reports no change. */
const safetyInterval = "5 seconds"
const lineLimit = 1 << 20
const pieceSize = 256 << 10
/** The most files that are reported for a directory. */
const mostWithin = 1_000
/** Pause between two chunks of existing content, which is not urgent. */
const pastPause = "4 millis"

interface Position {
  readonly inode: number
  readonly offset: number
}

const statOf = (path: string) =>
  orNull(
    Effect.map(
      call(() => fs.stat(path)),
      (stat) => ({ inode: stat.ino, size: stat.size })
    )
  )

const readPiece = (path: string, offset: number, size: number) =>
  withFile(path, "r", (file) => {
    const buffer = Buffer.alloc(size)
    return Effect.map(
      call(() => file.read(buffer, 0, size, offset)),
      ({ bytesRead }) => buffer.subarray(0, bytesRead)
    )
  })

/** Reads one file from a position on; null: from its first byte, whenever the file appears. */
const reader = (path: string, from: Position | null) => {
  let position = from
  /** Bytes (latin1) of an unfinished line; null: an overlong line is being skipped. */
  let rest: string | null = ""

  const completeLines = (piece: Buffer): ReadonlyArray<string> => {
    const lines: Array<string> = []
    const parts = piece.toString("latin1").split("\n")
    for (const [i, part] of parts.entries()) {
      if (rest !== null) rest = rest.length + part.length > lineLimit ? null : rest + part
      if (i === parts.length - 1) break
      if (rest !== null && rest !== "") lines.push(Buffer.from(rest, "latin1").toString("utf8"))
      rest = ""
    }
    return lines
  }
  return Effect.gen(function* (): Effect.fn.Return<TailChunk | null, FileFault> {
    const now = yield* statOf(path)
    if (now === null) return null
    const restarted = position === null || now.inode !== position.inode || now.size < position.offset
    if (position === null || restarted) {
      position = { inode: now.inode, offset: 0 }
      rest = ""
    }
    if (now.size === position.offset) return restarted ? { restarted, lines: [], atEnd: true } : null
    const piece = yield* readPiece(path, position.offset, pieceSize)
    if (piece.length === 0) return restarted ? { restarted, lines: [], atEnd: true } : null
    position = { inode: position.inode, offset: position.offset + piece.length }
    return { restarted, lines: completeLines(piece), atEnd: position.offset >= now.size }
  })
}

const make = Effect.gen(function* () {
  const directories = yield* DirectoryWatch

  const follow = Effect.fn("FileTail.follow")(function* (path: string) {
    const lines = yield* Effect.acquireRelease(Queue.unbounded<string, Cause.Done>(), Queue.end)
    const first = yield* statOf(path)
    const next = reader(path, first === null ? null : { inode: first.inode, offset: first.size })
    const read = Effect.gen(function* () {
      for (let piece = yield* next; piece !== null; piece = yield* next) Queue.offerAllUnsafe(lines, piece.lines)
    })
    const watcher = yield* directories.watch(dirname(path))
    yield* Effect.gen(function* () {
      while (true) {
        // An unreadable file may be readable at the next change.
        yield* Effect.ignore(read)
        yield* watcher.changedUnlessLost(safetyInterval)
      }
    }).pipe(Effect.forkScoped)
    return Stream.fromQueue(lines)
  })

  const read = (path: string): Stream.Stream<TailChunk> =>
    Stream.unwrap(
      Effect.gen(function* () {
        const watcher = yield* directories.watch(dirname(path))
        const next = reader(path, null)
        return Stream.unfold(
          false,
          Effect.fnUntraced(function* (more: boolean) {
            if (more) yield* Effect.sleep(pastPause)
            while (true) {
              const piece = yield* orNull(next)
              if (piece !== null) return [piece, !piece.atEnd] as const
              yield* watcher.changedUnlessLost(safetyInterval)
            }
          })
        )
      })
    )

  const last = Effect.fn("FileTail.last")(function* (path: string, bytes: number) {
    const now = yield* statOf(path)
    if (now === null || now.size <= bytes) return []
    const end = yield* orNull(readPiece(path, now.size - bytes, bytes))
    // The first line lacks its start, the last one its end.
    return (end?.toString("utf8") ?? "")
      .split("\n")
      .slice(1, -1)
      .filter((line) => line !== "" && line.length <= lineLimit)
  })

  const document = Effect.fn("FileTail.document")(function* (path: string, bytes: number) {
    const stat = yield* orNull(call(() => fs.stat(path)))
    // Anything but a regular file may be endless.
    if (stat === null || !stat.isFile() || stat.size > bytes) return null
    const text = yield* orNull(readPiece(path, 0, Math.min(bytes, stat.size + pieceSize)))
    return text === null ? null : text.toString("utf8").replace(/^\uFEFF/, "")
  })
  const within = (directory: string, ending: string) =>
    orNull(call(() => fs.readdir(directory, { recursive: true, withFileTypes: true }))).pipe(
      Effect.map((entries) =>
        (entries ?? [])
          .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
          .map(({ name, parentPath }) => join(parentPath, name))
          .sort()
          .slice(0, mostWithin)
      )
    )
  return FileTail.of({ follow, read, last, document, within })
})

export const layer: Layer.Layer<FileTail, never, DirectoryWatch> = Layer.effect(FileTail, make)
