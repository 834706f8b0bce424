import { columnsOf } from "./columns.ts"

/** A word. Text in backquotes counts as one word: it is a command or a name. */
const words = /(?:`[^`]*`|[^\s`]|`)+/g

/** The words of a text; a quoted one longer than a line becomes several. */
const wordsOf = (text: string, columns: number): ReadonlyArray<string> =>
  text.includes("`")
    ? (text.match(words) ?? []).flatMap((word) => (columnsOf(word) > columns ? word.split(/\s+/) : [word]))
    : text.split(/\s+/).filter((word) => word !== "")

/** A text in lines of this many columns, broken only between words: a longer word has a line of its own. */
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

/** Wraps the cells of a table's last column at the terminal's width without cutting words; null for no terminal. */
export const withinColumns =
  (columns: number | null) =>
  (cell: string, before: number): ReadonlyArray<string> =>
    columns === null ? [cell] : wrapWords(cell, Math.max(20, columns - before))
