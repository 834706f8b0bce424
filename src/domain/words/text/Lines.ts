/**
 * Lines of a text that comes in pieces. Effect's `Stream.splitLines` keeps a line however long it grows. In contrast to
 * ByteLines.ts the lines may end as on any system, and an overlong line ends the reading.
 */

export interface Unended {
  readonly text: string
  /** The last character was a carriage return, so a line feed right after it does not end another line. */
  readonly returned: boolean
}

export interface Split {
  readonly unended: Unended
  readonly lines: ReadonlyArray<string>
  /** A line exceeds the limit. Neither it nor anything after it is in `lines`. */
  readonly tooLong: boolean
}

export const start: Unended = { text: "", returned: false }

/** Splits a text that comes in pieces into lines of at most `limit` characters, ended by \n, \r or \r\n. */
export const split =
  (limit: number) =>
  (before: Unended, piece: string): Split => {
    if (piece === "") return { unended: before, lines: [], tooLong: false }
    const text = before.returned && piece.startsWith("\n") ? piece.slice(1) : piece
    const all = text.includes("\r") ? text.split(/\r\n|\r|\n/) : text.split("\n")
    all[0] = before.text + all[0]!
    const long = all.findIndex((line) => line.length > limit)
    const last = all.pop()!
    return long < 0
      ? { unended: { text: last, returned: piece.endsWith("\r") }, lines: all, tooLong: false }
      : { unended: start, lines: all.slice(0, long), tooLong: true }
  }
