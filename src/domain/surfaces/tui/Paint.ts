import { clip, shorten, width } from "./Cells.ts"

/** How a text is drawn. `badge0` and so on: colours that only distinguish. */
export type Style =
  | "plain"
  | "faint"
  | "accent"
  | "match"
  | "live"
  | "warn"
  | "bad"
  | "liveMark"
  | "badMark"
  | `badge${0 | 1 | 2 | 3 | 4 | 5}`

/** Clean text in one style. */
export interface Span {
  readonly text: string
  readonly style: Style
  readonly bold?: boolean
}

export type StyledLine = ReadonlyArray<Span>

/** A whole screen: as many lines as it has rows, and the cursor's position (from 0); null for no cursor. */
export interface PaintFrame {
  readonly lines: ReadonlyArray<StyledLine>
  readonly cursor: { readonly x: number; readonly y: number } | null
}

export const span = (text: string, style: Style = "plain", bold = false): Span =>
  bold ? { text, style, bold } : { text, style }

export const lineWidth = (line: StyledLine): number => line.reduce((sum, { text }) => sum + width(text), 0)

const clipLine = (line: StyledLine, cols: number): StyledLine => {
  let left = cols
  return line.flatMap((part): StyledLine => {
    const text = clip(part.text, left)
    // Nothing follows a cut text, even if it would fit.
    left = text.length < part.text.length ? 0 : left - width(text)
    return text === "" ? [] : [{ ...part, text }]
  })
}

const textOf = (line: StyledLine): string => line.map(({ text }) => text).join("")

/** A line cut to fit, with a mark if more than blanks and rules are cut off. */
export const fitLine = (line: StyledLine, cols: number): StyledLine => {
  const clipped = clipLine(line, cols)
  if (cols <= 0 || !/[^ ─]/.test(textOf(line).slice(textOf(clipped).length))) return clipped
  const fitting = clipLine(line, cols - 1)
  return [...fitting, { ...(fitting.at(-1) ?? line[0]!), text: "…" }]
}

export const padLine = (line: StyledLine, cols: number): StyledLine => {
  const fitted = fitLine(line, cols)
  return [...fitted, span(" ".repeat(Math.max(0, cols - lineWidth(fitted))))]
}

export const filled = (lines: ReadonlyArray<StyledLine>, cols: number, rows: number): ReadonlyArray<StyledLine> =>
  Array.from({ length: Math.max(0, rows) }, (_, y) => padLine(lines[y] ?? [], cols))

/** A horizontal rule with a name in it. */
export const ruleLine = (name: string, cols: number, style: Style = "faint"): StyledLine => {
  const text = shorten(`── ${name} `, cols)
  return [span(text, style), span("─".repeat(Math.max(0, cols - width(text))), "faint")]
}

const colours: Readonly<Record<Style, string>> = {
  plain: "",
  faint: "2",
  accent: "36",
  match: "4;33",
  live: "32",
  // Most palettes' yellow is unreadable on white, especially in bold.
  warn: "38;5;166",
  bad: "31",
  liveMark: "7;32",
  badMark: "7;31",
  badge0: "36",
  badge1: "35",
  badge2: "34",
  badge3: "96",
  badge4: "95",
  badge5: "94"
}
/** Attributes that keep their meaning without colours. */
const attributes: Partial<Record<Style, string>> = { faint: "2", match: "4" }

const codeOf = ({ bold, style }: Span, colour: boolean): string =>
  [bold === true ? "1" : "", (colour ? colours[style] : attributes[style]) ?? ""]
    .filter((part) => part !== "")
    .join(";")

interface Cell {
  readonly text: string
  readonly code: string
}

/** The bytes of cells. They begin and end in the default style. */
const encodeCells = (cells: ReadonlyArray<Cell>): string => {
  let out = ""
  let before = ""
  for (const { code, text } of cells) {
    if (code !== before) out += `${before === "" ? "" : "\x1b[m"}${code === "" ? "" : `\x1b[${code}m`}`
    before = code
    out += text
  }
  return before === "" ? out : `${out}\x1b[m`
}

/** The bytes of a line. It begins and ends in the default style. */
export const encodeLine = (line: StyledLine, colour: boolean): string =>
  encodeCells(line.map((part) => ({ text: part.text, code: codeOf(part, colour) })))

export interface Drawn {
  readonly rows: ReadonlyArray<string>
  readonly cursor: { readonly x: number; readonly y: number; readonly hidden?: boolean }
  /** The cells of a row; null if their columns depend on the terminal. */
  readonly cells?: (y: number) => ReadonlyArray<Cell> | null
}

/** The cells of a line; null if it has characters that are not one column wide in all terminals. */
const cellsOf = (line: StyledLine, colour: boolean): ReadonlyArray<Cell> | null => {
  const cells: Array<Cell> = []
  for (const part of line) {
    const code = codeOf(part, colour)
    for (const text of part.text) {
      if (text > "\u2fff" || (text > "\u007e" && width(text) !== 1)) return null
      cells.push({ text, code })
    }
  }
  return cells
}

export const encode = ({ cursor, lines }: PaintFrame, colour: boolean): Drawn => ({
  rows: lines.map((line) => encodeLine(line, colour)),
  cells: (y) => cellsOf(lines[y] ?? [], colour),
  cursor: cursor ?? { x: 0, y: 0, hidden: true }
})

/** The most equal cells between two changes that are rewritten: a jump costs as much. */
const gapMost = 7

/** The changes of one row by cells; null if the row must be drawn completely. */
const runs = (before: Drawn | null, now: Drawn, y: number): string | null => {
  const [old, next] = [before?.cells?.(y) ?? null, now.cells?.(y) ?? null]
  if (old === null || next === null || old.length !== next.length) return null
  const differs = (x: number): boolean => old[x]!.text !== next[x]!.text || old[x]!.code !== next[x]!.code
  let out = ""
  for (let x = 0; x < next.length; x++) {
    if (!differs(x)) continue
    let end = x + 1
    for (let look = end; look < next.length && look - end <= gapMost; look++) if (differs(look)) end = look + 1
    out += `\x1b[${y + 1};${x + 1}H${encodeCells(next.slice(x, end))}`
    x = end
  }
  return out
}

/** The bytes that turn the last screen (null: unknown) into this one, as one synchronized update; "" for no change. */
export const paint = (before: Drawn | null, now: Drawn): string => {
  const changed = now.rows
    .map((row, y) => (before?.rows[y] === row ? "" : (runs(before, now, y) ?? `\x1b[${y + 1};1H\x1b[2K${row}`)))
    .join("")
  const { hidden = false, x, y } = now.cursor
  const at = hidden ? "" : `\x1b[${y + 1};${x + 1}H`
  if (changed === "" && before !== null && (before.cursor.hidden ?? false) === hidden)
    return before.cursor.x === x && before.cursor.y === y ? "" : at
  const clear = before === null ? "\x1b[m\x1b[2J" : ""
  return `\x1b[?2026h\x1b[?25l${clear}${changed}${at}${hidden ? "" : "\x1b[?25h"}\x1b[?2026l`
}

/** Enters the alternate screen, without wrapping and with bracketed pastes. */
export const enter = "\x1b[?1049h\x1b[?7l\x1b[?2004h"

/** Leaves the alternate screen and restores the modes, even in the middle of an update. */
export const leave = "\x1b[?2026l\x1b[m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
