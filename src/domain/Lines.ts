/** The beginning of a line whose end has not come yet. */
export interface Unended {
  readonly text: string
  /** A carriage return came last: a line feed that follows it ends no other line. */
  readonly returned: boolean
}

export interface Split {
  readonly unended: Unended
  readonly lines: ReadonlyArray<string>
  /** A line is longer than any may be: neither it nor what follows is in `lines`. */
  readonly tooLong: boolean
}

export const start: Unended = { text: "", returned: false }

/** Cuts a text that comes in pieces into its lines, which may end as any system ends them and be no longer than `limit`. */
export const split = (limit: number) => (before: Unended, piece: string): Split => {
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
