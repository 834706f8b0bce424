import { type Cause, Effect, Layer, Queue, Stream } from "effect"
import * as fs from "node:fs/promises"
import { dirname } from "node:path"
import { DirectoryWatch } from "../services/DirectoryWatch.ts"
import { FileTail } from "../services/FileTail.ts"

/** Looked at this often even when no change was noticed. */
const safetyInterval = "5 seconds"
const lineLimit = 1 << 20
const pieceSize = 256 << 10

interface Place {
  readonly inode: number
  readonly offset: number
}

const look = (path: string) =>
  fs.stat(path).then((stat) => ({ inode: stat.ino, size: stat.size }), () => null)

/** At most one piece of what follows the offset. */
const readPiece = async (path: string, offset: number): Promise<Buffer> => {
  const file = await fs.open(path, "r")
  try {
    const buffer = Buffer.alloc(pieceSize)
    const { bytesRead } = await file.read(buffer, 0, pieceSize, offset)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const make = Effect.gen(function*() {
  const directories = yield* DirectoryWatch
  const follow = Effect.fn("FileTail.follow")(function*(path: string) {
    const lines = yield* Effect.acquireRelease(Queue.unbounded<string, Cause.Done>(), Queue.end)
    const first = yield* Effect.promise(() => look(path))
    let place: Place | null = first === null ? null : { inode: first.inode, offset: first.size }
    /** Bytes (latin1) of a line whose end has not come; null while an overlong one is passed over. */
    let rest: string | null = ""

    const take = (piece: Buffer): void => {
      const parts = piece.toString("latin1").split("\n")
      for (const [i, part] of parts.entries()) {
        if (rest !== null) rest = rest.length + part.length > lineLimit ? null : rest + part
        if (i === parts.length - 1) return
        if (rest !== null && rest !== "") Queue.offerUnsafe(lines, Buffer.from(rest, "latin1").toString("utf8"))
        rest = ""
      }
    }
    const read = async (): Promise<void> => {
      for (;;) {
        const now = await look(path)
        if (now === null) return
        if (place === null || now.inode !== place.inode || now.size < place.offset) {
          place = { inode: now.inode, offset: 0 }
          rest = ""
        }
        if (now.size === place.offset) return
        const piece = await readPiece(path, place.offset)
        if (piece.length === 0) return
        place = { inode: place.inode, offset: place.offset + piece.length }
        take(piece)
      }
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
  return FileTail.of({ follow })
})

export const layer: Layer.Layer<FileTail, never, DirectoryWatch> = Layer.effect(FileTail, make)
