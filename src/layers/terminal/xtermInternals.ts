import type { IBufferCell, IBufferLine, Terminal } from "@xterm/headless"

/**
 * Everything of xterm that leap uses beyond its public types. Another version of xterm may lack any of it: a function
 * that reads it then returns its value for "unknown", and the tests of this file show what has moved.
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
 * On "erase all above" in the bottom right corner xterm reads a row below and throws, which blocks everything that
 * follows. There the sequence means the whole screen.
 */
export const guardErase = (terminal: Terminal): void => {
  for (const prefix of [undefined, "?"])
    terminal.parser.registerCsiHandler({ ...(prefix === undefined ? {} : { prefix }), final: "J" }, (params) => {
      const buffer = terminal.buffer.active
      if (params[0] !== 1 || buffer.cursorX < terminal.cols - 1 || buffer.cursorY + 1 < buffer.length) return false
      eraseScreen(terminal)
      return true
    })
}

/** Reports the rows of the screen that a write touches or moves, `from` to `to` inclusive. False: not known. */
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
 * Whether the next text is drawn as such, completely, and a line feed in the last row moves all rows: xterm is inside
 * no sequence and no character, and has no scroll region. False if unknown.
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
 * Bounds the first parameter of a control sequence before xterm executes it; `most` is the bound. xterm's own parser
 * has found the sequence, however it was written: with C1 controls, with other controls or broken characters inside. If
 * bounding is not possible, sequences beyond the bound are dropped. Expensive sequences are executed here with the same
 * result: rows are moved together instead of one by one, and full ones are copied.
 */
export const boundCount = (
  terminal: Terminal,
  id: { readonly intermediates?: string; readonly final: string },
  most: () => number
): void => {
  const core = coreOf(terminal) as DrawingCore | undefined
  const parser = core?._inputHandler?._parser
  if (core === undefined || parser?.registerCsiHandler === undefined)
    return void terminal.parser.registerCsiHandler(id, ([count]) => typeof count === "number" && count > most())
  const moves = id.intermediates === "" && "STLM".includes(id.final)
  parser.registerCsiHandler(id, ({ params }) => {
    const count = (params[0] = Math.min(params[0]!, most()))
    if (moves) return moveRows(core, id.final, count || 1)
    if (id.final === "b") params[0] = repeatRows(core, terminal, count)
    // false lets xterm's own handler run with the rest.
    return false
  })
}

interface DrawingCore extends Core {
  readonly _oscLinkService: Core["_oscLinkService"] & { readonly addLineToLink: (link: number, y: number) => void }
  readonly _inputHandler: NonNullable<Core["_inputHandler"]> & {
    readonly _parser: { readonly precedingJoinState: number }
    readonly _dirtyRowTracker: { readonly markRangeDirty: (from: number, to: number) => void }
    readonly _restrictCursor: () => void
    readonly _eraseAttrData: () => unknown
    readonly _curAttrData: { readonly extended: { readonly urlId: number } }
    readonly repeatPrecedingCharacter: (params: { readonly params: ReadonlyArray<number> }) => unknown
  }
  readonly _bufferService: {
    readonly cols: number
    readonly scroll: (attributes: unknown, isWrapped: boolean) => void
    readonly buffer: {
      x: number
      y: number
      readonly ybase: number
      readonly scrollTop: number
      readonly scrollBottom: number
      readonly lines: { readonly get: (at: number) => DrawnRow; readonly set: (at: number, row: DrawnRow) => void }
      readonly markers: ReadonlyArray<{ line: number; readonly dispose: () => void }>
      readonly getNullCell: (attributes?: unknown) => Filling
    }
  }
}

interface DrawnRow extends StoredRow {
  isWrapped: boolean
  fill: (cell: Filling, onlyUnprotected?: boolean) => void
  readonly setCell: (x: number, cell: Filling) => void
  readonly copyFrom: (row: DrawnRow) => void
  readonly getString: (x: number) => string
}

/** The content that fills a row, a single code point. `bg` says what is stored beside the words. */
interface Filling {
  readonly bg: number
}

/** Bits of a cell's background word: it has an underline style or a link; it is not to be erased. */
const extendedBit = 0x1000_0000
const protectedBit = 0x2000_0000
let filling: object | null = null

/**
 * Fills rows by copying their first cell: xterm sets cell by cell, and a sequence of four bytes erases a screen of
 * them. All xterm terminals share the function that fills a row.
 */
export const fillByCopying = (terminal: Terminal): void => {
  const row = (coreOf(terminal) as DrawingCore | undefined)?._bufferService?.buffer?.lines.get(0)
  if (row === undefined || !isStored(row)) return
  const rows = Object.getPrototypeOf(row) as DrawnRow
  const { fill } = rows
  if (filling === rows) return
  filling = rows
  rows.fill = function (this: DrawnRow, cell, onlyUnprotected) {
    const end = this.length * wordsPerCell
    let isPlain = (cell.bg & extendedBit) === 0
    for (let at = 2; isPlain && onlyUnprotected === true && at < end; at += wordsPerCell)
      isPlain = (this._data[at]! & protectedBit) === 0
    if (!isPlain) return fill.call(this, cell, onlyUnprotected)
    this._combined = {}
    this._extendedAttrs = {}
    this.setCell(0, cell)
    for (let done = wordsPerCell; done < end; done *= 2) this._data.copyWithin(done, 0, Math.min(done, end - done))
  }
}

/**
 * Moves rows of the scroll region up or down: SU, SD, IL, DL. Rows that leave are emptied and reused for those that
 * come in.
 */
const moveRows = ({ _bufferService: service, _inputHandler: handler }: DrawingCore, final: string, count: number) => {
  const { buffer } = service
  const { lines, markers, scrollBottom, scrollTop, ybase } = buffer
  const isLines = final === "L" || final === "M"
  if (isLines) {
    handler._restrictCursor()
    if (buffer.y < scrollTop || buffer.y > scrollBottom) return true
    buffer.x = 0
  }
  const from = isLines ? buffer.y : scrollTop
  const height = scrollBottom - from + 1
  const by = Math.min(count, height) * (final === "S" || final === "M" ? -1 : 1)
  const rows = Array.from({ length: height }, (_, at) => lines.get(ybase + from + at))
  // When a screen scrolls down, new rows have xterm's default colours.
  const cell = buffer.getNullCell(final === "T" ? undefined : handler._eraseAttrData())
  for (const [at, row] of rows.entries()) {
    const to = at + by
    const isOut = to < 0 || to >= height
    if (isOut) {
      row.fill(cell)
      row.isWrapped = false
    }
    lines.set(ybase + from + (isOut ? to - Math.sign(by) * height : to), row)
  }
  for (const marker of markers.slice()) {
    const at = marker.line - ybase - from
    if (at < 0 || at >= height) continue
    if (at + by < 0 || at + by >= height) marker.dispose()
    else marker.line += by
  }
  handler._dirtyRowTracker.markRangeDirty(from, scrollBottom)
  return true
}

/** Repeats a character over whole rows (REP); returns how many repetitions remain, at least one. */
const repeatRows = (core: DrawingCore, { modes, rows }: Terminal, count: number): number => {
  const { _bufferService: service, _inputHandler: handler } = core
  const { buffer, cols } = service
  const { lines } = buffer
  const state = () => handler._parser.precedingJoinState
  // Its width, as xterm keeps it with the join state of the character.
  const last = state()
  const width = (last >> 1) & 3
  if (width === 0 || cols % width !== 0 || !modes.wraparoundMode || modes.insertMode) return count
  const each = cols / width
  const first = Math.floor((cols - buffer.x) / width) + each
  const whole = Math.ceil((count - first) / each) - 1
  if (whole < 1 || first < 2) return count
  const { x } = buffer
  // Two of these form one flag, so they fill rows differently: at most one row of them.
  if (/^\p{Regional_Indicator}/u.test(lines.get(buffer.ybase + buffer.y).getString(x - width)))
    return Math.min(count, cols)
  handler.repeatPrecedingCharacter({ params: [1] })
  // A character that joins with itself does not fill a row as others do.
  if (state() !== last || buffer.x !== (x + width > cols ? width : x + width)) return Math.min(count, cols)
  handler.repeatPrecedingCharacter({ params: [first - 1] })
  const link = handler._curAttrData.extended.urlId
  for (let row = 0; row < whole; row++) {
    const full = lines.get(buffer.ybase + buffer.y)
    if (buffer.y === buffer.scrollBottom) service.scroll(handler._eraseAttrData(), true)
    else buffer.y = Math.min(buffer.y + 1, rows - 1)
    const next = lines.get(buffer.ybase + buffer.y)
    if (next !== full) next.copyFrom(full)
    next.isWrapped = true
    if (link) core._oscLinkService.addLineToLink(link, buffer.ybase + buffer.y)
  }
  return count - first - whole * each
}

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

export const hyperlinkOf = (cell: CellInternals): number =>
  cell.hasExtendedAttrs?.() ? (cell.extended?.urlId ?? 0) : 0

/**
 * Whether the program set an underline; null if unknown. The public API reports every cell of a hyperlink as
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

/** Null if the row cannot be read this way. */
export const rowInternals = (line: IBufferLine, cols: number): RowInternals | null => {
  const row = (line as unknown as { readonly _line?: { readonly _data?: unknown } })._line
  const data = row?._data
  return row !== undefined && data instanceof Uint32Array && data.length >= cols * wordsPerCell ? { row, data } : null
}

export const characterWord = (data: Uint32Array, x: number): number => data[x * wordsPerCell] ?? 0

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

/** The rows of the main screen's buffer, of which `above` are not on the screen; null if they cannot be read. */
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
