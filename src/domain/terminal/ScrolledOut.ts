/**
 * Plain output of which nothing is to be seen any more when what follows it has been drawn. A terminal that is given
 * only the rest ends in the same state: the same rows on the screen and above it, the same cursor. That holds where the
 * whole screen scrolls and the output has nothing but text in lines, as each line feed is one row more, and so many of
 * them push out all that was there before.
 */

/** A place in a list of pieces of bytes. */
export interface Place {
  readonly piece: number
  readonly at: number
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * The last place where a line ends (CR, LF) with so many line feeds behind it; null where there is none. The place is
 * that of the CR: with it the column is known, whatever was before.
 */
export const lineEndBefore = (pieces: ReadonlyArray<Uint8Array>, feeds: number): Place | null => {
  let left = feeds
  for (let piece = pieces.length - 1; piece >= 0; piece--) {
    const bytes = pieces[piece]!
    for (let at = bytes.lastIndexOf(lineFeed); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(lineFeed, at - 1)) {
      if (left-- > 0) continue
      if (at > 0) {
        if (bytes[at - 1] === carriageReturn) return { piece, at: at - 1 }
        continue
      }
      const before = pieces[piece - 1]
      if (before?.at(-1) === carriageReturn) return { piece: piece - 1, at: before.length - 1 }
    }
  }
  return null
}

/** Whether all bytes before a place are text in lines: characters, CR, LF and tabs. */
export const isTextBefore = (pieces: ReadonlyArray<Uint8Array>, { at, piece }: Place): boolean => {
  for (let one = 0; one <= piece; one++) {
    const bytes = pieces[one]!
    const end = one === piece ? at : bytes.length
    for (let i = 0; i < end; i++) {
      const byte = bytes[i]!
      if (byte >= 0x20 && byte < 0x7f) continue
      if (byte === lineFeed || byte === carriageReturn || byte === 0x09) continue
      // C2 begins the C1 controls
      if (byte > 0xc2) continue
      if (byte >= 0x80 && byte < 0xc0) continue
      return false
    }
  }
  return true
}

/** The pieces from a place on. */
export const from = (pieces: ReadonlyArray<Uint8Array>, { at, piece }: Place): Array<Uint8Array> => [
  pieces[piece]!.subarray(at),
  ...pieces.slice(piece + 1)
]
