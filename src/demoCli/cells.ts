/** Widths of text on a terminal. Where terminals disagree the larger width counts, so that no row overflows. */

/** Characters of one cell that are never part of a longer one, such as letters, lines and arrows. */
const narrow = /^[\x20-\x7e\xa1-\xac\xae-\xff\u2190-\u21ff\u2500-\u25f0]*$/
const combining = /[\u0300-\u036f\u0591-\u05bd\u064b-\u065e\u20d0-\u20ef]/
const wide =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{191ff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
// Controls, format characters (bidirectional marks, joiners), surrogate halves and variation selectors.
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const glyph =
  /[#*\d]\ufe0f\u20e3|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|[^]/gu
/** Splits a text into user-perceived characters, such as an emoji of several code points. */
export const glyphsOf = (text: string): ReadonlyArray<string> => text.match(glyph) ?? []

/** Text for one row: a tab becomes two spaces, and controls and invisible characters are removed. */
export const clean = (text: string): string =>
  narrow.test(text)
    ? text
    : text.replaceAll("\t", "  ").replaceAll(glyph, (one) => (isSeveral(one) ? one : one.replace(unsafe, "")))

const isSeveral = (one: string): boolean => one.length > (one.codePointAt(0)! > 0xffff ? 2 : 1)

export const cellsOf = (char: string): number =>
  isSeveral(char) ? 2 : combining.test(char) ? 0 : wide.test(char) ? 2 : 1

export const width = (text: string): number => {
  if (narrow.test(text)) return text.length
  let cells = 0
  for (const char of glyphsOf(text)) cells += cellsOf(char)
  return cells
}

export const clip = (text: string, cols: number): string => {
  if (narrow.test(text)) return text.slice(0, Math.max(0, cols))
  let cells = 0
  let end = 0
  for (const char of glyphsOf(text)) {
    cells += cellsOf(char)
    if (cells > cols) break
    end += char.length
  }
  return text.slice(0, end)
}

export const wrap = (text: string, cols: number): ReadonlyArray<string> => {
  const rows: Array<string> = []
  let row = ""
  for (const part of text.split(/(?<= )/)) {
    let word = part
    if (row !== "" && width(row) + width(word.trimEnd()) > cols) {
      rows.push(row.trimEnd())
      row = ""
    }
    while (width(word.trimEnd()) > cols) {
      const head = clip(word, cols)
      // A character that is wider than the screen gets a row, too. Drawing clips the row.
      const taken = head === "" ? (glyphsOf(word)[0] ?? " ") : head
      rows.push(taken)
      word = word.slice(taken.length)
    }
    row += word
  }
  rows.push(row.trimEnd())
  return rows
}
