import { charactersOf, fittingLength, textWidth } from "../../words/text/CharWidth.ts"
import { stripControls } from "../../engine/queue/MessageText.ts"

/** Text in the cells of a terminal: safe text (`clean`) is measured, cut and wrapped. */

const ascii = /^[\x20-\x7e]*$/
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
/** An emoji of several code points, none of which hides or moves anything. */
const keycap = String.raw`[#*\d]\ufe0f\u20e3`
const taggedFlag = String.raw`\u{1f3f4}[\u{e0030}-\u{e007a}]{1,6}\u{e007f}`
const pictograph = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`
const emoji = new RegExp(String.raw`${keycap}|${taggedFlag}|${pictograph}(?:\u200d${pictograph})*`, "gu")

const visible = (text: string): string => {
  let out = ""
  let from = 0
  for (const { 0: whole, index } of text.matchAll(emoji)) {
    out += text.slice(from, index).replace(invisible, "") + whole
    from = index + whole.length
  }
  return out + text.slice(from).replace(invisible, "")
}

/** One line of a text, without control and invisible characters. */
export const clean = (text: string): string =>
  ascii.test(text)
    ? text
    : // composed last: an accent joins its letter only when nothing invisible is between them
      visible(stripControls(text.toWellFormed()).replace(/\s/gu, " ")).normalize("NFC")

export const cleanLines = (text: string): ReadonlyArray<string> =>
  stripControls(text.toWellFormed().replace(/\r\n?/g, "\n")).split("\n").map(clean)

export const width = textWidth

export const clip = (text: string, cols: number): string => text.slice(0, fittingLength(text, cols))

export const clipStart = (text: string, cols: number): string => {
  let left = width(text)
  let start = 0
  for (const character of charactersOf(text)) {
    if (left <= cols) break
    left -= character.width
    start += character.text.length
  }
  return text.slice(start)
}

export const shorten = (text: string, cols: number): string =>
  cols <= 0 ? "" : width(text) <= cols ? text : `${clip(text, cols - 1)}…`

/** As {@link shorten}, but keeps the end. */
export const shortenStart = (text: string, cols: number): string =>
  cols <= 0 ? "" : width(text) <= cols ? text : `…${clipStart(text, cols - 1)}`

export const pad = (text: string, cols: number): string => {
  const shortened = shorten(text, cols)
  return shortened + " ".repeat(Math.max(0, cols - width(shortened)))
}

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
      // A character wider than the row is kept; the line is cut when it is drawn.
      const taken = head === "" ? (charactersOf(word)[0]?.text ?? " ") : head
      rows.push(taken)
      word = word.slice(taken.length)
    }
    row += word
  }
  return [...rows, row.trimEnd()]
}

/** Wraps a text into at most `limit` rows without blank lines. An ellipsis marks a cut. */
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
