import { type Editor, markOf, marks, type Piece, pieceAt } from "./EditorState.ts"
import { clean } from "./Cells.ts"
import { cursorOf, layOut, offsetAt } from "./EditorRows.ts"
import { bareOf, type Key } from "./Keys.ts"
import { cleanPasted, graphemeAfter, graphemeBefore, wordAfter, wordBefore } from "./EditorText.ts"

export type { Editor } from "./EditorState.ts"

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
