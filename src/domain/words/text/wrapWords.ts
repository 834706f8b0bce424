import { columnsOf } from "./columns.ts"

/** A word with what stands in backquotes as one, which is a command or a name. */
const words = /(?:`[^`]*`|[^\s`]|`)+/g

/** The words of a text; what is quoted and longer than a line is several. */
const wordsOf = (text: string, columns: number): ReadonlyArray<string> =>
  text.includes("`")
    ? (text.match(words) ?? []).flatMap((word) => (columnsOf(word) > columns ? word.split(/\s+/) : [word]))
    : text.split(/\s+/).filter((word) => word !== "")

/** A text in lines of so many columns, broken between words alone: one that is longer has a line for itself. */
export const wrapWords = (text: string, columns: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  let taken = 0
  for (const word of wordsOf(text, columns)) {
    const width = columnsOf(word)
    if (line !== "" && taken + 1 + width > columns) {
      lines.push(line)
      line = ""
      taken = 0
    }
    taken += (line === "" ? 0 : 1) + width
    line += line === "" ? word : ` ${word}`
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line]
}

/** How a terminal's table has the cells of its last column, so that no word is cut at the edge; null for no terminal. */
export const withinColumns =
  (columns: number | null) =>
  (cell: string, before: number): ReadonlyArray<string> =>
    columns === null ? [cell] : wrapWords(cell, Math.max(20, columns - before))
