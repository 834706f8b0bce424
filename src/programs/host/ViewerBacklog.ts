import { concat } from "../../domain/words/text/Bytes.ts"

/** Bytes that wait for a viewer, in order. */
export interface Backlog {
  readonly size: () => number
  readonly add: (data: Uint8Array) => void
  readonly take: (limit: number) => Uint8Array
  readonly moveTo: (other: Backlog) => void
  readonly clear: () => void
}

/** Shorter pieces are merged into blocks. A small `Uint8Array` uses many times its length in memory. */
const minSeparatePiece = 4 << 10
const blockSize = 16 << 10

export const makeBacklog = (): Backlog => {
  let pieces: Array<Uint8Array> = []
  let takenCount = 0
  let size = 0
  /** The block of the last piece, if it has room. */
  let block: Uint8Array | null = null

  const clear = (): void => {
    pieces = []
    takenCount = 0
    size = 0
    block = null
  }
  const add = (data: Uint8Array): void => {
    if (data.length === 0) return
    size += data.length
    if (data.length >= minSeparatePiece) {
      pieces.push(data)
      block = null
      return
    }
    const last = block === null ? undefined : pieces.at(-1)
    if (block === null || last === undefined || last.byteOffset + last.length + data.length > block.length) {
      block = new Uint8Array(blockSize)
      block.set(data)
      pieces.push(block.subarray(0, data.length))
      return
    }
    const end = last.byteOffset + last.length
    block.set(data, end)
    pieces[pieces.length - 1] = block.subarray(last.byteOffset, end + data.length)
  }

  return {
    size: () => size,
    add,
    take: (limit) => {
      const taken: Array<Uint8Array> = []
      let length = 0
      while (length < limit && takenCount < pieces.length) {
        const piece = pieces[takenCount]!
        const part = piece.length > limit - length ? piece.subarray(0, limit - length) : piece
        taken.push(part)
        length += part.length
        if (part.length < piece.length) pieces[takenCount] = piece.subarray(part.length)
        else takenCount++
      }
      size -= length
      if (takenCount === pieces.length) clear()
      // Taken pieces are removed in batches, because `slice` copies the rest.
      else if (takenCount > 64) {
        pieces = pieces.slice(takenCount)
        takenCount = 0
      }
      return taken.length === 1 ? taken[0]! : concat(taken, length)
    },
    moveTo: (other) => {
      for (let at = takenCount; at < pieces.length; at++) other.add(pieces[at]!)
      clear()
    },
    clear
  }
}
