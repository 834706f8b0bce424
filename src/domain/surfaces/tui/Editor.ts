import { clean, shorten, shortenStart, width } from "./Cells.ts"
import { bareOf, type Key } from "./Keys.ts"
import { cleanPasted, graphemeAfter, graphemeBefore, wordAfter, wordBefore, graphemes } from "./EditorText.ts"
import type { Size } from "./Layout.ts"
import { type Span, span, type StyledLine } from "./Paint.ts"

/** A part of the text that counts as one character: a long paste (shown folded) or a picture. */
type Piece = { readonly kind: "paste"; readonly text: string } | { readonly kind: "image"; readonly path: string }

/** An edited text of several lines. Its pieces are characters of plane 16, whose numbers come from `markOf`. */
export interface Editor {
  readonly text: string
  readonly cursor: number
  readonly pieces: ReadonlyArray<Piece>
  /** The last cut text, for Ctrl+Y. */
  readonly cut: string
  /** The column that Up and Down keep; null after any other key. */
  readonly goal: number | null
  readonly past: ReadonlyArray<{ readonly text: string; readonly cursor: number }>
}

const firstMark = 0x100000
const marks = /[\u{100000}-\u{10fffd}]/gu

const markOf = (index: number): string => String.fromCodePoint(firstMark + index)

/** The piece of a character; undefined for any other character. */
const pieceAt = ({ pieces }: Pick<Editor, "pieces">, char: string): Piece | undefined =>
  pieces[(char.codePointAt(0) ?? 0) - firstMark]

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

export const labelOf = (piece: Piece | undefined): string => {
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

const offsetAt = (row: EditorRow, x: number): number => {
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

export const empty: Editor = { text: "", cursor: 0, pieces: [], cut: "", goal: null, past: [] }

/** With this many pieces (folded pastes and pictures) in a text, further pastes are not folded. */
const piecesMost = 0xfffd
const undoMost = 100

const replaced = (editor: Editor, from: number, to: number, text: string, cut: string | null = null): Editor => ({
  ...editor,
  text: editor.text.slice(0, from) + text + editor.text.slice(to),
  cursor: from + text.length,
  cut: cut ?? editor.cut,
  goal: null,
  past: [...editor.past.slice(-undoMost), { text: editor.text, cursor: editor.cursor }]
})

export const insert = (editor: Editor, text: string): Editor =>
  replaced(editor, editor.cursor, editor.cursor, cleanPasted(text).replace(marks, ""))

const withPiece = (editor: Editor, piece: Piece): Editor =>
  replaced({ ...editor, pieces: [...editor.pieces, piece] }, editor.cursor, editor.cursor, markOf(editor.pieces.length))

/** A paste with at least this many lines or characters is folded. */
const foldLines = 6
const foldLength = 600

const isLong = (text: string): boolean => text.length >= foldLength || text.split("\n", foldLines).length >= foldLines

/** Inserts pasted text at the cursor. A long paste is folded to one character that represents it. */
export const paste = (editor: Editor, text: string): Editor =>
  isLong(text) && editor.pieces.length < piecesMost
    ? withPiece(editor, { kind: "paste", text: cleanPasted(text) })
    : insert(editor, text)

export const attach = (editor: Editor, path: string): Editor => withPiece(editor, { kind: "image", path })

/** Longer texts cannot be edited well, so they are folded. */
const editedMost = 4_000

/** Inserts an editable text at the cursor; folds it if it is too long. */
export const put = (editor: Editor, text: string): Editor =>
  text.length > editedMost ? paste(editor, text) : insert(editor, text)

export const of = (text: string, images: ReadonlyArray<string> = []): Editor => ({
  ...images.reduce(attach, put(empty, text)),
  past: []
})

export const replaceRange = (editor: Editor, from: number, to: number, text: string): Editor =>
  replaced(editor, from, to, text.replace(marks, ""))

/** The text with its pastes in full, and the pictures in their order. */
export const contentOf = (
  editor: Pick<Editor, "text" | "pieces">
): { readonly text: string; readonly images: ReadonlyArray<string> } => {
  const images: Array<string> = []
  const text = editor.text.replace(marks, (char) => {
    const piece = pieceAt(editor, char)
    if (piece?.kind === "image") images.push(piece.path)
    return piece?.kind === "paste" ? piece.text : ""
  })
  return { text, images }
}

export const isEmpty = ({ text }: Editor): boolean => text === ""

const lineStart = ({ cursor, text }: Editor): number => text.lastIndexOf("\n", cursor - 1) + 1
const lineEnd = ({ cursor, text }: Editor): number => {
  const end = text.indexOf("\n", cursor)
  return end < 0 ? text.length : end
}

const moved = (editor: Editor, cursor: number): Editor => ({ ...editor, cursor, goal: null })
const cutTo = (editor: Editor, to: number): Editor => {
  const [from, end] = to < editor.cursor ? [to, editor.cursor] : [editor.cursor, to]
  return from === end ? editor : replaced(editor, from, end, "", editor.text.slice(from, end))
}
const deleted = (editor: Editor, to: number): Editor => ({ ...cutTo(editor, to), cut: editor.cut })

/** Moves the cursor to the row above or below; null if there is none, so that the key can have another meaning. */
const vertical = (editor: Editor, by: -1 | 1, cols: number): Editor | null => {
  const rows = layOut(editor, cols)
  const at = cursorOf(rows, editor.cursor)
  const row = rows[at.y + by]
  if (row === undefined) return null
  const goal = editor.goal ?? at.x
  return { ...editor, cursor: offsetAt(row, goal), goal }
}

const actions: Readonly<Record<string, (editor: Editor, cols: number) => Editor | null>> = {
  left: (e) => moved(e, graphemeBefore(e.text, e.cursor)),
  right: (e) => moved(e, graphemeAfter(e.text, e.cursor)),
  "alt+left": (e) => moved(e, wordBefore(e.text, e.cursor)),
  "alt+right": (e) => moved(e, wordAfter(e.text, e.cursor)),
  home: (e) => moved(e, lineStart(e)),
  end: (e) => moved(e, lineEnd(e)),
  "ctrl+home": (e) => moved(e, 0),
  "ctrl+end": (e) => moved(e, e.text.length),
  backspace: (e) => deleted(e, graphemeBefore(e.text, e.cursor)),
  delete: (e) => deleted(e, graphemeAfter(e.text, e.cursor)),
  "ctrl+w": (e) => cutTo(e, wordBefore(e.text, e.cursor)),
  "alt+d": (e) => cutTo(e, wordAfter(e.text, e.cursor)),
  // Ctrl+U at a line's start cuts the line break before it, Ctrl+K at a line's end the one after it.
  "ctrl+u": (e) => cutTo(e, lineStart(e) === e.cursor ? Math.max(0, e.cursor - 1) : lineStart(e)),
  "ctrl+k": (e) => cutTo(e, lineEnd(e) === e.cursor ? Math.min(e.text.length, e.cursor + 1) : lineEnd(e)),
  "ctrl+y": (e) => (e.cut === "" ? e : replaced(e, e.cursor, e.cursor, e.cut)),
  "ctrl+j": (e) => replaced(e, e.cursor, e.cursor, "\n"),
  up: (e, cols) => vertical(e, -1, cols),
  down: (e, cols) => vertical(e, 1, cols),
  "ctrl+_": (e) => {
    const last = e.past.at(-1)
    return last === undefined ? e : { ...e, ...last, goal: null, past: e.past.slice(0, -1) }
  }
}
const aliases: Readonly<Record<string, string>> = {
  "ctrl+b": "left",
  "ctrl+f": "right",
  "alt+b": "alt+left",
  "ctrl+left": "alt+left",
  "alt+f": "alt+right",
  "ctrl+right": "alt+right",
  "ctrl+a": "home",
  "ctrl+e": "end",
  "ctrl+h": "backspace",
  "ctrl+d": "delete",
  "ctrl+p": "up",
  "ctrl+n": "down",
  "alt+backspace": "ctrl+w",
  "ctrl+backspace": "ctrl+w",
  "alt+enter": "ctrl+j",
  "shift+enter": "ctrl+j",
  "ctrl+enter": "ctrl+j"
}

/** The editor after a key, in `cols` columns; null for a key that it does not use. */
export const press = (editor: Editor, key: Key, cols: number): Editor | null => {
  if ("text" in key) return key.key === "paste" ? paste(editor, key.text) : insert(editor, key.text)
  const of = (name: string) => actions[aliases[name] ?? name]
  // Shift would select, which is not supported.
  const action = of(key.key) ?? of(key.key.replace("shift+", "")) ?? of(bareOf(key))
  return action === undefined ? null : action(editor, cols)
}

/** The most characters of a text of one line, if nothing else is said; the rest is ignored. */
export const maxLineLength = 256

/** As {@link press}, for a text of one line: the lines of a paste are joined, and no key breaks the line. */
export const pressLine = (editor: Editor, key: Key, most = maxLineLength): Editor | null => {
  if (!("text" in key))
    return aliases[key.key] === "ctrl+j" || key.key === "ctrl+j" ? null : press(editor, key, Infinity)
  // The paste is cleaned alone, so that the text before the cursor does not affect the result.
  const more = key.key === "paste" ? clean(key.text.trim()).replace(/ +/g, " ") : key.text
  return insert(editor, [...more].slice(0, Math.max(0, most - [...editor.text].length)).join(""))
}
