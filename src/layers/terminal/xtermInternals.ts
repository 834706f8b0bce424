import type { IBufferCell, IBufferLine, Terminal } from "@xterm/headless"

/**
 * All that leap reads of xterm beyond its public types; nothing else in leap does. Another version of xterm may lack
 * any of it: each function then returns what stands for "unknown", and the tests of this file show what has moved.
 */

interface Core {
  readonly _inputHandler?: {
    readonly eraseInDisplay?: (params: { readonly params: ReadonlyArray<number> }) => unknown
    readonly onRequestRefreshRows?: (
      listener: (rows: { readonly start: number; readonly end: number } | undefined) => void
    ) => unknown
    readonly _parser?: {
      readonly currentState?: number
      readonly initialState?: number
      readonly registerCsiHandler?: (
        id: { readonly intermediates?: string; readonly final: string },
        handler: (params: { readonly params: Int32Array }) => boolean
      ) => unknown
    }
    readonly _utf8Decoder?: { readonly interim?: Uint8Array }
  }
  readonly _bufferService?: {
    readonly buffer?: { readonly scrollTop?: number; readonly scrollBottom?: number }
    readonly buffers?: { readonly normal?: { readonly ybase?: number; readonly lines?: RowList } }
  }
  readonly _oscLinkService?: { readonly getLinkData?: (id: number) => Hyperlink | undefined }
}

const coreOf = (terminal: Terminal): Core | undefined => (terminal as unknown as { readonly _core?: Core })._core

/** Erases the whole screen as the sequence does (ED 2); the cursor stays. */
export const eraseScreen = (terminal: Terminal): void => {
  coreOf(terminal)?._inputHandler?.eraseInDisplay?.({ params: [2] })
}

/**
 * Tells which rows of the screen a write has touched or moved, `from` to `to` inclusive. False: it cannot be known.
 */
export const onRowsDrawn = (terminal: Terminal, listener: (from: number, to: number) => void): boolean => {
  const subscribe = coreOf(terminal)?._inputHandler?.onRequestRefreshRows
  if (typeof subscribe !== "function") return false
  subscribe((rows) =>
    typeof rows?.start === "number" && typeof rows.end === "number"
      ? listener(rows.start, rows.end)
      : listener(0, Number.POSITIVE_INFINITY)
  )
  return true
}

/**
 * Whether text that comes next is drawn as such, whole, and a line feed in the last row moves all rows: xterm is in no
 * sequence and no character, and has no scroll region. False where that is unknown.
 */
export const isPlain = (terminal: Terminal): boolean => {
  const core = coreOf(terminal)
  const { _parser: parser, _utf8Decoder: decoder } = core?._inputHandler ?? {}
  const buffer = core?._bufferService?.buffer
  return (
    parser?.currentState !== undefined &&
    parser.currentState === parser.initialState &&
    decoder?.interim?.[0] === 0 &&
    buffer?.scrollTop === 0 &&
    buffer.scrollBottom === terminal.rows - 1
  )
}

/**
 * Bounds the first parameter of a control sequence before xterm obeys it: `most` gives what it may be. xterm's own
 * parser has found the sequence, however it was written: with C1 controls, with other controls or broken characters
 * inside. Where that cannot be done, sequences beyond the bound are left out.
 */
export const boundCount = (
  terminal: Terminal,
  id: { readonly intermediates?: string; readonly final: string },
  most: () => number
): void => {
  const parser = coreOf(terminal)?._inputHandler?._parser
  if (parser?.registerCsiHandler === undefined)
    terminal.parser.registerCsiHandler(id, ([count]) => typeof count === "number" && count > most())
  else
    parser.registerCsiHandler(id, ({ params }) => {
      const bound = most()
      if (params[0]! > bound) params[0] = bound
      // false lets xterm's own handler run with what is left
      return false
    })
}

/** The target of a hyperlink (OSC 8). */
export interface Hyperlink {
  readonly id?: string
  readonly uri: string
}

/** The hyperlinks of a terminal by the numbers that cells carry; see {@link hyperlinkOf}. */
export const hyperlinksOf = (terminal: Terminal): ((id: number) => Hyperlink | undefined) => {
  const service = coreOf(terminal)?._oscLinkService
  return (id) => service?.getLinkData?.(id)
}

/** A cell's two words of attributes, and what does not fit into them: underline style and colour, hyperlink. */
export interface CellInternals {
  readonly fg?: number
  readonly bg?: number
  readonly extended?: { readonly ext?: number; readonly urlId?: number }
  /** False: `extended` is left over from another cell. */
  readonly hasExtendedAttrs?: () => number
  readonly getUnderlineStyle?: () => number
  readonly getUnderlineColor?: () => number
  readonly isUnderlineColorDefault?: () => boolean
  readonly isUnderlineColorRGB?: () => boolean
}

export const cellInternals = (cell: IBufferCell): CellInternals => cell as unknown as CellInternals

/** "Underlined" in a cell's foreground word. */
const underlineBit = 0x10000000

/** The number of the hyperlink that a cell belongs to; 0 for none. */
export const hyperlinkOf = (cell: CellInternals): number =>
  cell.hasExtendedAttrs?.() ? (cell.extended?.urlId ?? 0) : 0

/**
 * Whether the program set an underline; null where that is unknown. The public API reports every cell of a hyperlink as
 * underlined, because xterm draws it so.
 */
export const isUnderlineRequested = ({ fg }: CellInternals): boolean | null =>
  fg === undefined ? null : (fg & underlineBit) !== 0

const wordsPerCell = 3
/** Marks a cell of several code points: they are stored elsewhere, so the word may stay while they change. */
const combinedBit = 0x20_0000

/**
 * A row's own object, which stays the same when xterm moves the row, and its words: three for each cell, of which the
 * first is the character.
 */
export interface RowInternals {
  readonly row: object
  readonly data: Uint32Array
}

/** Null where the row cannot be read this way. */
export const rowInternals = (line: IBufferLine, cols: number): RowInternals | null => {
  const row = (line as unknown as { readonly _line?: { readonly _data?: unknown } })._line
  const data = row?._data
  return row !== undefined && data instanceof Uint32Array && data.length >= cols * wordsPerCell ? { row, data } : null
}

/** The word of the character at a column. */
export const characterWord = (data: Uint32Array, x: number): number => data[x * wordsPerCell] ?? 0

/** Whether the cell has more code points than its word holds. */
export const isCombined = (word: number): boolean => (word & combinedBit) !== 0

/** A row as xterm keeps it: its cells' words, and what does not fit into them, by column. */
export interface StoredRow {
  _data: Uint32Array
  _combined: object
  _extendedAttrs: object
  length: number
}

interface RowList {
  readonly get?: (index: number) => StoredRow | undefined
}

/** The rows of the main screen's buffer, of which `above` are not on the screen; null where they cannot be read. */
export interface StoredRows {
  readonly above: number
  readonly get: (index: number) => StoredRow | undefined
}

const isStored = (row: StoredRow | undefined): boolean =>
  row?._data instanceof Uint32Array &&
  typeof row._combined === "object" &&
  typeof row._extendedAttrs === "object" &&
  typeof row.length === "number"

export const storedRows = (terminal: Terminal): StoredRows | null => {
  const { lines, ybase } = coreOf(terminal)?._bufferService?.buffers?.normal ?? {}
  return typeof ybase === "number" && typeof lines?.get === "function" && isStored(lines.get(ybase))
    ? { above: ybase, get: (index) => lines.get?.(index) }
    : null
}
