import { width } from "./Cells.ts"
import { codeOf, encodeLine, type PaintFrame, type StyledLine } from "./Paint.ts"

/**
 * Turns one frame into the next by writing only the cells that differ, for screens that change a little all the time.
 * All lines of a frame have exactly the screen's width.
 */

/** A frame as it was drawn. */
export interface Painted {
  readonly lines: ReadonlyArray<StyledLine>
  /** Each line with its attributes: what is the same needs no look at its cells. */
  readonly rows: ReadonlyArray<string>
  readonly cursor: PaintFrame["cursor"] | null
}

export const painted = (
  lines: ReadonlyArray<StyledLine>,
  cursor: PaintFrame["cursor"] | null,
  colour: boolean
): Painted => ({ lines, rows: lines.map((line) => encodeLine(line, colour)), cursor })

interface Cell {
  readonly text: string
  readonly code: string
}

/**
 * The cells of a line; null where its places depend on the terminal: characters that are not one column wide in all of
 * them.
 */
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

/** Cells that are the same between two that differ are written again when there are no more: a jump costs as much. */
const gapMost = 7

/** One row's difference; null where the row is to be drawn whole. */
const runs = (before: StyledLine, now: StyledLine, y: number, colour: boolean): string | null => {
  const old = cellsOf(before, colour)
  const next = cellsOf(now, colour)
  if (old === null || next === null || old.length !== next.length) return null
  const differs = (x: number): boolean => old[x]!.text !== next[x]!.text || old[x]!.code !== next[x]!.code
  let out = ""
  for (let x = 0; x < next.length; x++) {
    if (!differs(x)) continue
    let end = x + 1
    for (let look = end; look < next.length && look - end <= gapMost; look++) if (differs(look)) end = look + 1
    out += `\x1b[${y + 1};${x + 1}H`
    let code = ""
    for (const cell of next.slice(x, end)) {
      if (cell.code !== code) out += `${code === "" ? "" : "\x1b[m"}${cell.code === "" ? "" : `\x1b[${cell.code}m`}`
      code = cell.code
      out += cell.text
    }
    if (code !== "") out += "\x1b[m"
    x = end
  }
  return out
}

/**
 * The bytes that turn what was drawn last (null: unknown) into this, as one synchronized update; "" if nothing differs.
 */
export const paintCells = (before: Painted | null, now: Painted, colour: boolean): string => {
  let changed = ""
  for (let y = 0; y < now.rows.length; y++) {
    if (before !== null && before.rows[y] === now.rows[y]) continue
    const part = before?.lines[y] === undefined ? null : runs(before.lines[y]!, now.lines[y]!, y, colour)
    changed += part ?? `\x1b[${y + 1};1H\x1b[2K${now.rows[y]}`
  }
  const place = (cursor: PaintFrame["cursor"]): string => `\x1b[${cursor.y + 1};${cursor.x + 1}H`
  const at = now.cursor === null ? "" : `${place(now.cursor)}\x1b[?25h`
  const moved =
    before === null ||
    (now.cursor === null
      ? before.cursor !== null
      : before.cursor?.x !== now.cursor.x || before.cursor.y !== now.cursor.y)
  if (changed === "" && !moved) return ""
  return `\x1b[?2026h\x1b[?25l${before === null ? "\x1b[m\x1b[2J" : ""}${changed}${at}\x1b[?2026l`
}
