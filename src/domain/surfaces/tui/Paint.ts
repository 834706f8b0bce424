import { clip, width } from "./Cells.ts"

/** How a piece of text is drawn. `badge0` and so on: colours that only distinguish. */
export type Style = "plain" | "faint" | "accent" | "match" | "live" | "warn" | "bad" | `badge${0 | 1 | 2 | 3 | 4 | 5}`

/** Clean text in one style. */
export interface Span {
  readonly text: string
  readonly style: Style
  readonly bold?: boolean
}

/** One row of the screen. */
export type StyledLine = ReadonlyArray<Span>

/** A whole screen: as many lines as it has rows, and the cursor's position (from 0). */
export interface PaintFrame {
  readonly lines: ReadonlyArray<StyledLine>
  readonly cursor: { readonly x: number; readonly y: number }
}

export const span = (text: string, style: Style = "plain", bold = false): Span =>
  bold ? { text, style, bold } : { text, style }

export const lineWidth = (line: StyledLine): number => line.reduce((sum, { text }) => sum + width(text), 0)

/** A line cut to what fits. */
export const fitLine = (line: StyledLine, cols: number): StyledLine => {
  let left = cols
  return line.flatMap((part): StyledLine => {
    const text = clip(part.text, left)
    // nothing narrower may follow what was cut
    left = text.length < part.text.length ? 0 : left - width(text)
    return text === "" ? [] : [{ ...part, text }]
  })
}

/** A line in exactly so many columns. */
export const padLine = (line: StyledLine, cols: number): StyledLine => {
  const fitted = fitLine(line, cols)
  return [...fitted, span(" ".repeat(Math.max(0, cols - lineWidth(fitted))))]
}

const colours: Readonly<Record<Style, string>> = {
  plain: "",
  faint: "2",
  accent: "36",
  match: "4;33",
  live: "32",
  // the yellow of most palettes is not to be read on white, least of all in bold
  warn: "38;5;166",
  bad: "31",
  badge0: "36",
  badge1: "35",
  badge2: "34",
  badge3: "96",
  badge4: "95",
  badge5: "94"
}
/** Attributes that keep their meaning without colours. */
const attributes: Partial<Record<Style, string>> = { faint: "2", match: "4" }

/** The attributes of a piece of text (SGR parameters); "" for none. */
export const codeOf = ({ bold, style }: Span, colour: boolean): string =>
  [bold === true ? "1" : "", (colour ? colours[style] : attributes[style]) ?? ""]
    .filter((part) => part !== "")
    .join(";")

/** A line as a terminal draws it; it begins and ends in the default style. */
export const encodeLine = (line: StyledLine, colour: boolean): string => {
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
  readonly cursor: { readonly x: number; readonly y: number; readonly hidden?: boolean }
}

export const encode = ({ cursor, lines }: PaintFrame, colour: boolean): Drawn => ({
  rows: lines.map((line) => encodeLine(line, colour)),
  cursor
})

/**
 * The bytes that turn the screen drawn last (null: unknown) into this one, only what differs, as one synchronized
 * update; "" if nothing differs.
 */
export const paint = (before: Drawn | null, now: Drawn): string => {
  const changed = now.rows.flatMap((row, y) =>
    before !== null && before.rows[y] === row ? [] : [`\x1b[${y + 1};1H\x1b[2K${row}`]
  )
  const at = `\x1b[${now.cursor.y + 1};${now.cursor.x + 1}H`
  const hidden = now.cursor.hidden === true
  const shown = hidden ? "" : "\x1b[?25h"
  if (changed.length === 0 && before !== null && (before.cursor.hidden === true) === hidden)
    return before.cursor.x === now.cursor.x && before.cursor.y === now.cursor.y ? "" : at
  return `\x1b[?2026h\x1b[?25l${before === null ? "\x1b[m\x1b[2J" : ""}${changed.join("")}${at}${shown}\x1b[?2026l`
}

/** Enters the alternate screen, without wrapping and with bracketed pastes. */
export const enter = "\x1b[?1049h\x1b[?7l\x1b[?2004h"

/** Leaves the alternate screen and restores the modes, whatever was under way. */
export const leave = "\x1b[?2026l\x1b[m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
