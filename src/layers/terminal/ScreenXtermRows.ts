import type { IBufferLine } from "@xterm/headless"
import { characterWord, isCombined, rowInternals } from "./xtermInternals.ts"

interface Row {
  readonly words: Uint32Array
  readonly text: string
}

/**
 * The text without trailing blanks. It is a loop, because every row of every frame passes here: a regular expression
 * would try a match at each blank.
 */
export const trimRight = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 32) end--
  return end === text.length ? text : text.slice(0, end)
}

/**
 * Reads rows as text; rows with unchanged characters come from a cache. Most output changes a row or two, and building
 * the text of all rows is the largest cost of reading the screen.
 */
export const makeRowReader = () => {
  // xterm scrolls by moving its row objects, so the cache is keyed by the object and not by the position.
  const rows = new WeakMap<object, Row>()
  const read = (line: IBufferLine, cols: number) => trimRight(line.translateToString(true, 0, cols))
  return (line: IBufferLine | undefined, cols: number): string => {
    if (line === undefined) return ""
    const internals = rowInternals(line, cols)
    if (internals === null) return read(line, cols)
    const { data, row } = internals
    const cached = rows.get(row)
    if (cached !== undefined && cached.words.length === cols && same(cached.words, data)) return cached.text
    const words = new Uint32Array(cols)
    let plain = true
    for (let x = 0; x < cols; x++) {
      const word = characterWord(data, x)
      words[x] = word
      if (isCombined(word)) plain = false
    }
    const text = read(line, cols)
    if (plain) rows.set(row, { words, text })
    else rows.delete(row)
    return text
  }
}

const same = (words: Uint32Array, data: Uint32Array): boolean => {
  for (let x = 0; x < words.length; x++) if (words[x] !== characterWord(data, x)) return false
  return true
}
