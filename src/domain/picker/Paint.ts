import { clip, width } from "./Cells.ts"

/** How a stretch of text is drawn. `badge0` and on: colours that only tell things apart. */
export type Style = "plain" | "faint" | "accent" | "match" | "live" | "bad" | `badge${0 | 1 | 2 | 3 | 4 | 5}`

/** Clean text in one style. */
export interface Span {
  readonly text: string
  readonly style: Style
  readonly bold?: boolean
}

/** One row of the screen. */
export type Line = ReadonlyArray<Span>

/** A whole screen: as many lines as it has rows, and where the cursor stands (from 0). */
export interface Frame {
  readonly lines: ReadonlyArray<Line>
  readonly cursor: { readonly x: number; readonly y: number }
}

export const span = (text: string, style: Style = "plain", bold = false): Span => bold ? { text, style, bold } : { text, style }

export const lineWidth = (line: Line): number => line.reduce((sum, { text }) => sum + width(text), 0)

/** A line cut to what fits. */
export const fitLine = (line: Line, cols: number): Line => {
  let left = cols
  return line.flatMap((part): Line => {
    const text = clip(part.text, left)
    // nothing narrower may slip in behind what was cut
    left = text.length < part.text.length ? 0 : left - width(text)
    return text === "" ? [] : [{ ...part, text }]
  })
}

/** A line in exactly so many columns. */
export const padLine = (line: Line, cols: number): Line => {
  const fitted = fitLine(line, cols)
  return [...fitted, span(" ".repeat(Math.max(0, cols - lineWidth(fitted))))]
}

const colours: Readonly<Record<Style, string>> = {
  plain: "", faint: "2", accent: "36", match: "4;33", live: "32", bad: "31",
  badge0: "36", badge1: "35", badge2: "34", badge3: "96", badge4: "95", badge5: "94"
}
/** Without colours, what says something is still set apart. */
const attributes: Partial<Record<Style, string>> = { faint: "2", match: "4" }

const codeOf = ({ bold, style }: Span, colour: boolean): string =>
  [bold === true ? "1" : "", (colour ? colours[style] : attributes[style]) ?? ""].filter((part) => part !== "").join(";")

/** A line as a terminal draws it; it begins and ends in the default style. */
export const encodeLine = (line: Line, colour: boolean): string => {
  let out = ""
  let code = ""
  for (const part of line) {
    const next = codeOf(part, colour)
    if (next !== code) out += `${code === "" ? "" : "\x1b[m"}${next === "" ? "" : `\x1b[${next}m`}`
    code = next
    out += part.text
  }
  return code === "" ? out : `${out}\x1b[m`
}

/** A screen as it was drawn. */
export interface Drawn {
  readonly rows: ReadonlyArray<string>
  readonly cursor: { readonly x: number; readonly y: number }
}

export const encode = ({ cursor, lines }: Frame, colour: boolean): Drawn => ({ rows: lines.map((line) => encodeLine(line, colour)), cursor })

/**
 * The bytes that turn the screen last drawn (null: an unknown one) into this, only what differs, as one synchronized
 * update; "" when nothing differs.
 */
export const paint = (before: Drawn | null, now: Drawn): string => {
  const changed = now.rows.flatMap((row, y) => before !== null && before.rows[y] === row ? [] : [`\x1b[${y + 1};1H\x1b[2K${row}`])
  const at = `\x1b[${now.cursor.y + 1};${now.cursor.x + 1}H`
  if (changed.length === 0) return before !== null && before.cursor.x === now.cursor.x && before.cursor.y === now.cursor.y ? "" : at
  return `\x1b[?2026h\x1b[?25l${before === null ? "\x1b[m\x1b[2J" : ""}${changed.join("")}${at}\x1b[?25h\x1b[?2026l`
}

/** Takes the screen: another page, no wrapping, pastes in brackets. */
export const enter = "\x1b[?1049h\x1b[?7l\x1b[?2004h"

/** Gives the screen back as it was, whatever was under way. */
export const leave = "\x1b[?2026l\x1b[m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
