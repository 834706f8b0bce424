import { concat } from "../../words/text/Bytes.ts"

/**
 * Plain output that later output scrolls out completely. A terminal that gets only the later output ends in the same
 * state: the same rows on the screen and above it, the same cursor. This holds if the whole screen scrolls and the
 * output is only text in lines: each line feed is one more row, and enough of them push out everything earlier.
 */

export interface Place {
  readonly piece: number
  readonly at: number
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** Begins the C1 controls in UTF-8. */
const c1Lead = 0xc2

/** The last CR LF that is followed by this many line feeds; null if none. After the CR the column is known. */
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

/** By byte: 1 if it is not part of text in lines. */
const isOther = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isCharacter = (byte >= 0x20 && byte < 0x7f) || (byte >= 0x80 && byte < 0xc0) || byte > c1Lead
  return isCharacter || byte === lineFeed || byte === carriageReturn || byte === 0x09 ? 0 : 1
})

/** Tests four bytes at a time: a word in which no byte is below a blank, or DEL or above, is text. */
const isText = (bytes: Uint8Array): boolean => {
  const lead = bytes.length < 8 ? bytes.length : -bytes.byteOffset & 3
  const count = (bytes.length - lead) >> 2
  const words = count === 0 ? new Int32Array() : new Int32Array(bytes.buffer, bytes.byteOffset + lead, count)
  for (let at = 0; at < lead; at++) if (isOther[bytes[at]!] === 1) return false
  for (let word = 0, at = lead; word < words.length; word++, at += 4) {
    const four = words[word]!
    if ((((four - 0x2020_2020) | (four + 0x0101_0101)) & 0x8080_8080) === 0) continue
    if ((isOther[bytes[at]!]! | isOther[bytes[at + 1]!]! | isOther[bytes[at + 2]!]! | isOther[bytes[at + 3]!]!) === 1)
      return false
  }
  for (let at = lead + words.length * 4; at < bytes.length; at++) if (isOther[bytes[at]!] === 1) return false
  return true
}

/** Whether all bytes before a place are text in lines: characters, CR, LF and tabs. */
export const isTextBefore = (pieces: ReadonlyArray<Uint8Array>, { at, piece }: Place): boolean =>
  pieces.slice(0, piece + 1).every((bytes, index) => isText(index === piece ? bytes.subarray(0, at) : bytes))

/** Whether C1 controls may be in the pieces: they begin sequences, after which a line feed may move nothing. */
export const hasC1 = (pieces: ReadonlyArray<Uint8Array>): boolean =>
  pieces.some((bytes, piece) => {
    for (let at = bytes.indexOf(c1Lead); at >= 0; at = bytes.indexOf(c1Lead, at + 1)) {
      const next = at + 1 < bytes.length ? bytes[at + 1] : pieces[piece + 1]?.[0]
      if (next === undefined || next < 0xa0) return true
    }
    return false
  })

export const from = (pieces: ReadonlyArray<Uint8Array>, { at, piece }: Place): Array<Uint8Array> => [
  pieces[piece]!.subarray(at),
  ...pieces.slice(piece + 1)
]

/** Text in lines from the place of {@link lineEndBefore} on; null if there is none, or if anything is not text. */
export const lastLines = (pieces: ReadonlyArray<Uint8Array>, feeds: number): Uint8Array | null => {
  const place = lineEndBefore(pieces, feeds)
  if (place === null || !isTextBefore(pieces, { piece: pieces.length - 1, at: pieces.at(-1)!.length })) return null
  const rest = from(pieces, place)
  return concat(
    rest,
    rest.reduce((size, { length }) => size + length, 0)
  )
}
