import type { IBuffer, IBufferLine, Terminal } from "@xterm/headless"
import { pack, unpack } from "./packedCells.ts"
import { type StoredRow, storedRows, characterWord, isCombined, rowInternals, onRowsDrawn } from "./xtermInternals.ts"

/**
 * Rows above the screen that keep their cells as a string (`packedCells`) instead of words. xterm only moves, counts
 * and forgets such rows, and sees a row without cells. Before a resize, which does more, they get their words back:
 * xterm never works on anything but its own data.
 */

/** Replaces a row's combined characters. xterm replaces it when it reuses the row for new text. */
class Packed {
  readonly cells: string
  readonly count: number
  readonly combined: object
  readonly extended: object
  constructor({ _combined, _data, _extendedAttrs, length }: StoredRow) {
    this.cells = pack(_data)
    this.count = length
    this.combined = isEmpty(_combined) ? nothing : _combined
    this.extended = isEmpty(_extendedAttrs) ? nothing : _extendedAttrs
  }
}

const wordsPerCell = 3
/** Bytes of a row's arrays and objects, apart from its words. */
const overhead = 300
const noWords = new Uint32Array(0)
const nothing: object = Object.freeze({})
const isEmpty = (object: object): boolean => {
  for (const _ in object) return false
  return true
}

const packedOf = (row: StoredRow | undefined): Packed | null =>
  row?._combined instanceof Packed ? row._combined : null

const close = (row: StoredRow, packed: Packed): void => {
  row._data = noWords
  row.length = 0
  row._combined = packed
  row._extendedAttrs = nothing
}

const open = (row: StoredRow, packed: Packed, words: Uint32Array): void => {
  unpack(packed.cells, words)
  row._data = words
  row.length = packed.count
  row._combined = packed.combined === nothing ? {} : packed.combined
  row._extendedAttrs = packed.extended === nothing ? {} : packed.extended
}

/** Packs the rows above the screen; returns the bytes that they held unpacked. */
export const compactRows = (terminal: Terminal): number => {
  const rows = storedRows(terminal)
  let freed = 0
  // Rows further up were packed the last time.
  for (let y = (rows?.above ?? 0) - 1; y >= 0; y--) {
    const row = rows?.get(y)
    if (row === undefined || packedOf(row) !== null) break
    if (row._data.length !== row.length * wordsPerCell) continue
    freed += row._data.byteLength + overhead
    close(row, new Packed(row))
  }
  return freed
}

/** Restores the cells of the rows that xterm works on when the terminal gets this size. */
export const restoreRows = (terminal: Terminal, cols: number, rows: number): void => {
  const stored = storedRows(terminal)
  if (stored === null) return
  const first = cols === terminal.cols ? Math.max(0, stored.above - Math.max(0, rows - terminal.rows)) : 0
  for (let y = first; y < stored.above; y++) {
    const row = stored.get(y)
    const packed = packedOf(row)
    if (row !== undefined && packed !== null) open(row, packed, new Uint32Array(packed.count * wordsPerCell))
  }
}

export type Rows = Pick<IBuffer, "getLine">

/** Reads the main screen's buffer. A packed row can be read until two others were. */
export const withRows = <A>(terminal: Terminal, read: (rows: Rows) => A): A => {
  const { normal } = terminal.buffer
  const stored = storedRows(terminal)
  const opened: Array<{ readonly row: StoredRow; readonly packed: Packed; readonly words: Uint32Array }> = []
  const getLine = (y: number): IBufferLine | undefined => {
    const row = stored?.get(y)
    const packed = y < (stored?.above ?? 0) ? packedOf(row) : null
    if (row !== undefined && packed !== null) {
      let words: Uint32Array | undefined
      if (opened.length === 2) {
        const oldest = opened.shift()!
        close(oldest.row, oldest.packed)
        words = oldest.words
      }
      if (words?.length !== packed.count * wordsPerCell) words = new Uint32Array(packed.count * wordsPerCell)
      open(row, packed, words)
      opened.push({ row, packed, words })
    }
    return normal.getLine(y)
  }
  try {
    return read({ getLine })
  } finally {
    for (const { packed, row } of opened) close(row, packed)
  }
}

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
const makeRowReader = () => {
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

/** The screen's rows as text. Rows without writes since the last reading are not read again. */
export const makeChangedRows = () => {
  const rowText = makeRowReader()
  let known: Array<string> = []
  let from = 0
  let to = Number.POSITIVE_INFINITY
  let isKnown = false
  const touch = (first: number, last: number): void => {
    from = Math.min(from, first)
    to = Math.max(to, last)
  }
  const touchAll = (): void => touch(0, Number.POSITIVE_INFINITY)

  return {
    touchAll,
    /** Watches writes to a terminal. An earlier one must be disposed of, because it stays watched. */
    watch: (terminal: Terminal): void => {
      isKnown = onRowsDrawn(terminal, touch)
      terminal.buffer.onBufferChange(touchAll)
      touchAll()
    },
    read: (terminal: Terminal): ReadonlyArray<string> => {
      const buffer = terminal.buffer.active
      const line = (y: number): IBufferLine | undefined => buffer.getLine(buffer.baseY + y)
      const [first, last] = isKnown ? [from, Math.min(to, terminal.rows - 1)] : [0, terminal.rows - 1]
      if (first === 0 && last === terminal.rows - 1) {
        // Rows of the alternate screen keep the columns that a narrower window hides.
        known = Array.from({ length: terminal.rows }, (_, y) => rowText(line(y), terminal.cols))
      } else if (first <= last) {
        known = [...known]
        for (let y = first; y <= last; y++) known[y] = rowText(line(y), terminal.cols)
      }
      from = Number.POSITIVE_INFINITY
      to = -1
      return known
    }
  }
}
