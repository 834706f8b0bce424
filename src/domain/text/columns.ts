import { makeWidths } from "./CharWidth.ts"

const width = makeWidths()

const ascii = /^[ -~]*$/

/** How many columns of a terminal a text takes. */
export const columnsOf = (text: string): number =>
  ascii.test(text) ? text.length : [...text].reduce((sum, char) => sum + width(char.codePointAt(0)!), 0)

/** The longest beginning of some characters that takes at most so many columns. */
const fitting = (chars: ReadonlyArray<string>, columns: number): ReadonlyArray<string> => {
  let left = columns
  const end = chars.findIndex((char) => (left -= width(char.codePointAt(0)!)) < 0)
  return end === -1 ? chars : chars.slice(0, end)
}

/** A text's beginning in at most so many columns, with `…` where something is left out. */
export const keepStart = (text: string, columns: number): string =>
  columnsOf(text) <= columns ? text : `${fitting([...text], columns - 1).join("")}…`

/** The same with its end. */
export const keepEnd = (text: string, columns: number): string =>
  columnsOf(text) <= columns
    ? text
    : `…${fitting([...text].toReversed(), columns - 1)
        .toReversed()
        .join("")}`
