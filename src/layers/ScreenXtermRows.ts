import type { IBufferLine } from "@xterm/headless"

/** The part of xterm's inside that tells cheaply whether a row has changed: three words a cell, the first its character. */
interface Inner {
  readonly _line?: { readonly _data?: unknown }
}

const wordsPerCell = 3
/** Marks a cell of several code points: they are kept elsewhere, so the word may stay while they change. */
const combined = 0x20_0000

interface Row {
  readonly words: Uint32Array
  readonly text: string
}

const trimRight = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 32) end--
  return end === text.length ? text : text.slice(0, end)
}

/**
 * Reads rows as text, and only those anew whose characters have changed: most output touches a row or two, and
 * making the text of all of them costs more than everything else about a look at the screen.
 */
export const makeRowReader = () => {
  // xterm moves its rows about when it scrolls, so that a row is known by its object and not by its place
  const rows = new WeakMap<object, Row>()
  const read = (line: IBufferLine, cols: number) => trimRight(line.translateToString(true, 0, cols))
  return (line: IBufferLine | undefined, cols: number): string => {
    if (line === undefined) return ""
    const inner = (line as unknown as Inner)._line
    const data = inner?._data
    if (inner === undefined || !(data instanceof Uint32Array) || data.length < cols * wordsPerCell) return read(line, cols)
    const known = rows.get(inner)
    if (known !== undefined && known.words.length === cols && same(known.words, data)) return known.text
    const words = new Uint32Array(cols)
    let plain = true
    for (let x = 0; x < cols; x++) {
      const word = data[x * wordsPerCell] ?? 0
      words[x] = word
      if ((word & combined) !== 0) plain = false
    }
    const text = read(line, cols)
    if (plain) rows.set(inner, { words, text })
    else rows.delete(inner)
    return text
  }
}

const same = (words: Uint32Array, data: Uint32Array): boolean => {
  for (let x = 0; x < words.length; x++) if (words[x] !== data[x * wordsPerCell]) return false
  return true
}
