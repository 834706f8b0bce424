/** A part of a text. Positions count UTF-16 units. */
export interface TextPart {
  readonly text: string
  readonly offset: number
  readonly total: number
  /** Where it continues; null: it ends here. */
  readonly next: number | null
}

const isSecondHalf = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
const whole = (text: string, at: number): number => (isSecondHalf(text, at) ? at - 1 : at)

/** At most `most` units (at least two) from a position on; no character is split. */
export const partOf = (text: string, from: number, most: number): TextPart => {
  const total = text.length
  const offset = whole(text, Math.min(Math.max(0, from), total))
  const end = whole(text, Math.min(offset + most, total))
  return { text: text.slice(offset, end), offset, total, next: end < total ? end : null }
}
