import { charactersOf, fittingLength, textWidth } from "./CharWidth.ts"

export const columnsOf = textWidth

/** A text's start in at most this many columns; `…` marks a cut. */
export const keepStart = (text: string, columns: number): string =>
  columnsOf(text) <= columns ? text : `${text.slice(0, fittingLength(text, columns - 1))}…`

/** A text's end in at most this many columns; `…` marks a cut. */
export const keepEnd = (text: string, columns: number): string => {
  if (columnsOf(text) <= columns) return text
  let left = columns - 1
  const characters = charactersOf(text)
  const from = characters.findLastIndex(({ width }) => (left -= width) < 0)
  return `…${characters
    .slice(from + 1)
    .map((character) => character.text)
    .join("")}`
}
