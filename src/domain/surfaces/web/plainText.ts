import { printable } from "../../words/text/printable.ts"

/** Marks that change the direction of the text around them: with them a line reads otherwise than what is in it. */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A text of a session's for a page, of at most `limit` characters, without what would hide or reorder parts of it. */
export const plainText = (text: string, limit: number): string => {
  const plain = printable(text)
  if (plain.length <= limit) return plain
  // never half of a character
  const cut = plain.slice(0, limit - 1)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** A terminal's output without marks of direction, which no terminal gives a column. */
export const plainOutput = (output: string): string => output.replace(direction, "")
