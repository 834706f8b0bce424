import { type Cause, Effect, Layer, Queue, Stream } from "effect"
import * as fs from "node:fs/promises"
import { dirname } from "node:path"
import { DirectoryWatch } from "../services/DirectoryWatch.ts"
import { FileTail, type TailPiece } from "../services/FileTail.ts"

/** Looked at this often even when no change was noticed. */
const safetyInterval = "5 seconds"
const lineLimit = 1 << 20
const pieceSize = 256 << 10
/** Between two pieces of a file's past, which nobody waits for. */
const pastPause = "4 millis"

interface Place {
  readonly inode: number
  readonly offset: number
}

const look = (path: string) =>
  fs.stat(path).then((stat) => ({ inode: stat.ino, size: stat.size }), () => null)

/** At most `size` bytes from the offset on. */
const readPiece = async (path: string, offset: number, size: number): Promise<Buffer> => {
  const file = await fs.open(path, "r")
  try {
    const buffer = Buffer.alloc(size)
    const { bytesRead } = await file.read(buffer, 0, size, offset)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Reads one file from a place on; null is before its first byte, whenever it comes. */
const reader = (path: string, from: Place | null) => {
  let place = from
  /** Bytes (latin1) of a line whose end has not come; null while an overlong one is passed over. */
  let rest: string | null = ""

  const take = (piece: Buffer): ReadonlyArray<string> => {
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
  /** The next piece; null when nothing is new. */
  return async (): Promise<TailPiece | null> => {
    const now = await look(path)
    if (now === null) return null
    const anew = place === null || now.inode !== place.inode || now.size < place.offset
    if (place === null || anew) {
      place = { inode: now.inode, offset: 0 }
      rest = ""
    }
    if (now.size === place.offset) return anew ? { anew, lines: [], atEnd: true } : null
    const piece = await readPiece(path, place.offset, pieceSize)
    if (piece.length === 0) return anew ? { anew, lines: [], atEnd: true } : null
    place = { inode: place.inode, offset: place.offset + piece.length }
    return { anew, lines: take(piece), atEnd: place.offset >= now.size }
  }
}

const make = Effect.gen(function*() {
  const directories = yield* DirectoryWatch

  const follow = Effect.fn("FileTail.follow")(function*(path: string) {
    const lines = yield* Effect.acquireRelease(Queue.unbounded<string, Cause.Done>(), Queue.end)
    const first = yield* Effect.promise(() => look(path))
    const next = reader(path, first === null ? null : { inode: first.inode, offset: first.size })
    const read = async (): Promise<void> => {
      for (let piece = await next(); piece !== null; piece = await next()) Queue.offerAllUnsafe(lines, piece.lines)
    }
    const watcher = yield* directories.watch(dirname(path))
    yield* Effect.gen(function*() {
      while (true) {
        // a file that cannot be read now may be at the next change
        yield* Effect.ignore(Effect.tryPromise(read))
        yield* watcher.changed(safetyInterval)
      }
    }).pipe(Effect.forkScoped)
    return Stream.fromQueue(lines)
  })

  const read = (path: string): Stream.Stream<TailPiece> =>
    Stream.unwrap(Effect.gen(function*() {
      const watcher = yield* directories.watch(dirname(path))
      const next = reader(path, null)
      return Stream.unfold(false, Effect.fnUntraced(function*(more: boolean) {
        if (more) yield* Effect.sleep(pastPause)
        while (true) {
          const piece = yield* Effect.orElseSucceed(Effect.tryPromise(next), () => null)
          if (piece !== null) return [piece, !piece.atEnd] as const
          yield* watcher.changed(safetyInterval)
        }
      }))
    }))

  const last = Effect.fn("FileTail.last")(function*(path: string, bytes: number) {
    return yield* Effect.tryPromise(async () => {
      const now = await look(path)
      if (now === null || now.size <= bytes) return []
      const text = (await readPiece(path, now.size - bytes, bytes)).toString("utf8")
      // the first line lacks its beginning, the last one its end
      return text.split("\n").slice(1, -1).filter((line) => line !== "" && line.length <= lineLimit)
    }).pipe(Effect.orElseSucceed((): ReadonlyArray<string> => []))
  })

  const document = Effect.fn("FileTail.document")(function*(path: string, bytes: number) {
    return yield* Effect.tryPromise(async () => {
      const stat = await fs.stat(path)
      // what is no file may have no end
      if (!stat.isFile() || stat.size > bytes) return null
      const text = await readPiece(path, 0, Math.min(bytes, stat.size + pieceSize))
      return text.toString("utf8").replace(/^\uFEFF/, "")
    }).pipe(Effect.orElseSucceed((): string | null => null))
  })
  return FileTail.of({ follow, read, last, document })
})

export const layer: Layer.Layer<FileTail, never, DirectoryWatch> = Layer.effect(FileTail, make)
