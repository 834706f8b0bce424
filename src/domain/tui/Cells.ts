import { makeWidths } from "../text/CharWidth.ts"
import { stripControls } from "../queue/MessageText.ts"

/**
 * Text in the cells of a terminal: safe text (`clean`) is measured, cut and wrapped. If terminals disagree on a width
 * the larger one is taken, so that a line may end early but never outside of the screen.
 */

const ascii = /^[\x20-\x7e]*$/
// Including joiners and variation selectors, which only some terminals know, so that widths would differ.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
/** A memo of a pure function. */
const columns = makeWidths()

/** One line of a text, without control and invisible characters. */
export const clean = (text: string): string =>
  ascii.test(text)
    ? text
    : // composed last: an accent joins its letter only once nothing invisible stands between them
      stripControls(text.toWellFormed()).replace(/\s/gu, " ").replace(invisible, "").normalize("NFC")

/** The lines of a text, each of them clean. */
export const cleanLines = (text: string): ReadonlyArray<string> =>
  stripControls(text.toWellFormed().replace(/\r\n?/g, "\n")).split("\n").map(clean)

/** Columns that a clean text takes. */
export const width = (text: string): number => {
  if (ascii.test(text)) return text.length
  let sum = 0
  for (const char of text) sum += columns(char.codePointAt(0) ?? 0)
  return sum
}

/** The longest beginning of a clean text that fits. */
export const clip = (text: string, cols: number): string => {
  let sum = 0
  let end = 0
  for (const char of text) {
    sum += columns(char.codePointAt(0) ?? 0)
    if (sum > cols) break
    end += char.length
  }
  return text.slice(0, end)
}

/** The longest end of a clean text that fits. */
export const clipStart = (text: string, cols: number): string => {
  let left = width(text)
  let start = 0
  for (const char of text) {
    if (left <= cols) break
    left -= columns(char.codePointAt(0) ?? 0)
    start += char.length
  }
  return text.slice(start)
}

/** A clean text cut to what fits, the cut marked. */
export const shorten = (text: string, cols: number): string =>
  cols <= 0 ? "" : width(text) <= cols ? text : `${clip(text, cols - 1)}…`

/** The same from the start: the end stays. */
export const shortenStart = (text: string, cols: number): string =>
  cols <= 0 ? "" : width(text) <= cols ? text : `…${clipStart(text, cols - 1)}`

/** A clean text in exactly so many columns. */
export const pad = (text: string, cols: number): string => {
  const shortened = shorten(text, cols)
  return shortened + " ".repeat(Math.max(0, cols - width(shortened)))
}

/** Breaks a clean line into rows, between words where it can. */
const wrapLine = (line: string, cols: number, limit: number): ReadonlyArray<string> => {
  const rows: Array<string> = []
  let row = ""
  for (const part of line.split(/(?<= )/)) {
    if (rows.length > limit) break
    let word = part
    if (row !== "" && width(row) + width(word.trimEnd()) > cols) {
      rows.push(row.trimEnd())
      row = ""
    }
    while (rows.length <= limit && width(word.trimEnd()) > cols) {
      const head = clip(word, cols)
      // a character wider than the row is taken nevertheless: the line is cut when it is drawn
      const taken = head === "" ? String.fromCodePoint(word.codePointAt(0) ?? 32) : head
      rows.push(taken)
      word = word.slice(taken.length)
    }
    row += word
  }
  return [...rows, row.trimEnd()]
}

/** Wraps a text into at most `limit` rows without blank lines; an ellipsis marks a text that is cut. */
export const wrap = (text: string, cols: number, limit: number): ReadonlyArray<string> => {
  if (cols <= 0 || limit <= 0) return []
  const rows: Array<string> = []
  for (const line of cleanLines(text)) {
    if (rows.length > limit) break
    if (line.trim() !== "") rows.push(...wrapLine(line.trimEnd(), cols, limit))
  }
  return rows.length <= limit
    ? rows
    : rows.slice(0, limit).map((row, i) => (i < limit - 1 ? row : `${clip(row, cols - 1)}…`))
}
