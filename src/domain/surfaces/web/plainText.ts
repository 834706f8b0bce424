import { printable } from "../../words/text/printable.ts"

/** Marks that change the direction of the text around them, so that a line does not read as it is. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A session's text for a page, of at most `limit` characters, without anything that hides or reorders parts of it. */
export const plainText = (text: string, limit: number): string => {
  const plain = printable(text)
  if (plain.length <= limit) return plain
  // Do not cut a surrogate pair in half.
  const cut = plain.slice(0, limit - 1)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** A terminal's output without direction marks, to which no terminal gives a column. */
export const plainOutput = (output: string): string => output.replace(direction, "")
