import { clean, shorten, shortenStart, width } from "./Cells.ts"
import { type Editor, pieceAt } from "./EditorState.ts"
import { graphemes } from "./EditorText.ts"
import type { Size } from "./Layout.ts"
import { type Span, span, type StyledLine } from "./Paint.ts"

/** One drawn character. `at`: its index in the text. */
interface Cell {
  readonly at: number
  readonly text: string
  readonly width: number
  readonly folded: boolean
}

/** A row of the screen. `end`: the index in the text where it ends: at the next row's start, or at a line break. */
export interface EditorRow {
  readonly cells: ReadonlyArray<Cell>
  readonly start: number
  readonly end: number
  /** The text continues in the next row without a line break. */
  readonly wraps: boolean
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

export const labelOf = (piece: ReturnType<typeof pieceAt>): string => {
  if (piece === undefined) return "?"
  if (piece.kind === "image") return `[image ${shorten(clean(baseName(piece.path)), 20)}]`
  const lines = piece.text.split("\n").length
  return `[pasted text, ${lines} ${lines === 1 ? "line" : "lines"}]`
}

/** The rows of a text in `cols` columns, broken between words if possible. There is always one. */
export const layOut = (editor: Pick<Editor, "text" | "pieces">, cols: number): ReadonlyArray<EditorRow> => {
  const most = Math.max(1, cols)
  const rows: Array<EditorRow> = []
  let cells: Array<Cell> = []
  let start = 0
  let used = 0
  /** The row's cells before its last word. */
  let words = 0
  const push = (count: number, end: number, wraps: boolean): void => {
    rows.push({ cells: cells.slice(0, count), start, end, wraps })
    cells = cells.slice(count)
    start = cells[0]?.at ?? end
    used = cells.reduce((sum, cell) => sum + cell.width, 0)
    words = 0
  }
  for (const { index, segment } of graphemes(editor.text)) {
    if (segment === "\n") {
      push(cells.length, index, false)
      start = index + 1
      continue
    }
    const piece = pieceAt(editor, segment)
    const text = piece === undefined ? clean(segment) : shorten(labelOf(piece), most)
    const cell = { at: index, text, width: width(text), folded: piece !== undefined }
    // After a break before the last word, the rest may still be too long for a wide character.
    while (used + cell.width > most && cells.length > 0) push(words > 0 ? words : cells.length, index, true)
    cells.push(cell)
    used += cell.width
    if (segment === " ") words = cells.length
  }
  push(cells.length, editor.text.length, false)
  // If a row was broken before its last word, the text continues with that word.
  return rows.map((row, y) => (row.wraps ? { ...row, end: rows[y + 1]?.start ?? row.end } : row))
}

const cellsBefore = (row: EditorRow, cursor: number): number =>
  row.cells.reduce((sum, cell) => (cell.at < cursor ? sum + cell.width : sum), 0)

export const cursorOf = (
  rows: ReadonlyArray<EditorRow>,
  cursor: number
): { readonly x: number; readonly y: number } => {
  const found = rows.findIndex((row) => (row.wraps ? cursor < row.end : cursor <= row.end))
  const y = found < 0 ? rows.length - 1 : found
  const row = rows[y]
  return { x: row === undefined ? 0 : cellsBefore(row, cursor), y }
}

export const offsetAt = (row: EditorRow, x: number): number => {
  let used = 0
  for (const cell of row.cells) {
    if (used + cell.width > x) return cell.at
    used += cell.width
  }
  // The position after the last character of a wrapped row is in the next row.
  return row.wraps ? (row.cells.at(-1)?.at ?? row.start) : row.end
}

/** The columns of a text after a sign and a blank, with one for the cursor after the text. */
export const editorCols = ({ cols }: Size): number => Math.max(1, cols - 3)

/** The shown rows of a text, and the cursor among them, which may be after the last column. */
export const shownRows = (
  editor: Pick<Editor, "cursor" | "pieces" | "text">,
  { cols, rows, sign }: { readonly cols: number; readonly rows: number; readonly sign: Span }
): { readonly lines: ReadonlyArray<StyledLine>; readonly cursor: { readonly x: number; readonly y: number } } => {
  const all = layOut(editor, cols)
  const at = cursorOf(all, editor.cursor)
  const top = Math.max(0, at.y - Math.max(1, rows) + 1)
  const indent = width(sign.text)
  const lines = all
    .slice(top, top + Math.max(1, rows))
    .map(({ cells }, i): StyledLine => [
      i > 0 || top > 0 ? span((i === 0 ? "↑" : "").padEnd(indent).slice(0, indent), "faint") : sign,
      ...cells.map(({ folded, text }) => span(text, folded ? "match" : "plain"))
    ])
  return { lines, cursor: { x: indent + at.x, y: at.y - top } }
}

/** A text of one line around its cursor in `cols` columns, and the cursor's column. */
export const shownLine = (
  { cursor, text }: Pick<Editor, "cursor" | "text">,
  cols: number
): { readonly text: string; readonly x: number } => {
  const after = clean(text.slice(cursor))
  // A sign shows that there is text after the cursor.
  const before = shortenStart(clean(text.slice(0, cursor)), after === "" ? cols : cols - 1)
  return { text: before + shorten(after, cols - width(before)), x: width(before) }
}
