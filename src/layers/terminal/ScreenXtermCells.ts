import type { IBuffer, IBufferCell, Terminal } from "@xterm/headless"
import { charProperties, joins, propertiesOf } from "../../domain/words/text/CharWidth.ts"
import * as Pen from "../../domain/terminal/sequences/Pen.ts"
import type { ScreenRun } from "../../domain/words/session/Screen.ts"
import type { Rows } from "./compactRows.ts"
import { cellInternals, hyperlinkOf, hyperlinksOf, isUnderlineRequested } from "./xtermInternals.ts"

export const penOf = (cell: IBufferCell): Pen.Pen => {
  const more = cellInternals(cell)
  const color = (base: 38 | 48, value: number, isRgb: boolean, isDefault: boolean): string =>
    isDefault
      ? ""
      : isRgb
        ? Pen.rgb(base, (value >> 16) & 255, (value >> 8) & 255, value & 255)
        : Pen.indexed(base, value)
  const linked = hyperlinkOf(more) !== 0
  const requested = linked ? isUnderlineRequested(more) : null
  const underline = requested ?? cell.isUnderline() !== 0
  let underlineColor = ""
  if (underline && more.isUnderlineColorDefault?.() === false) {
    const value = more.getUnderlineColor?.() ?? 0
    underlineColor =
      more.isUnderlineColorRGB?.() === true
        ? Pen.underlineRgb((value >> 16) & 255, (value >> 8) & 255, value & 255)
        : Pen.underlineIndexed(value & 255)
  }
  return {
    bold: cell.isBold() !== 0,
    faint: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: underline ? (linked ? 1 : more.getUnderlineStyle?.() || 1) : 0,
    blink: cell.isBlink() !== 0,
    inverse: cell.isInverse() !== 0,
    hidden: cell.isInvisible() !== 0,
    struck: cell.isStrikethrough() !== 0,
    overline: cell.isOverline() !== 0,
    foreground: color(38, cell.getFgColor(), cell.isFgRGB(), cell.isFgDefault()),
    background: color(48, cell.getBgColor(), cell.isBgRGB(), cell.isBgDefault()),
    underlineColor
  }
}

/** A row of a buffer as runs of one colour; a blank takes the foreground of the run before it. */
export const runsOf = (buffer: IBuffer, y: number, cols: number): ReadonlyArray<ScreenRun> => {
  const line = buffer.getLine(y)
  const cell = buffer.getNullCell()
  const runs: Array<{ x: number; text: string; foreground: string; background: string }> = []
  for (let x = 0; x < cols && line?.getCell(x, cell) !== undefined; x++) {
    const width = cell.getWidth()
    if (width === 0) continue
    const pen = penOf(cell)
    const [front, back] = pen.inverse
      ? [pen.background || "background", pen.foreground || "foreground"]
      : [pen.foreground, pen.background]
    const text = cell.getChars() || " ".repeat(width)
    const last = runs.at(-1)
    if (last !== undefined && last.background === back && (last.foreground === front || text.trim() === ""))
      last.text += text
    else runs.push({ x, text, foreground: front, background: back })
  }
  return runs
}

/** Draws rows of one buffer with as few sequences as the cells need. */
export const makePainter = (terminal: Terminal) => {
  const hyperlink = hyperlinksOf(terminal)
  const cell = terminal.buffer.active.getNullCell()
  const internals = cellInternals(cell)
  let out = ""
  let pen = ""
  let linkId = 0
  let link = ""
  /** The characters of the last drawn cell, if the next one directly follows it. */
  let previous = ""
  let cached:
    | {
        readonly fg: number
        readonly bg: number
        readonly ext: number
        readonly linked: boolean
        readonly sgr: string
        readonly background: string
      }
    | undefined

  const setPen = (sgr: string): void => {
    if (sgr === pen) return
    out += sgr === "" ? "\x1b[m" : `\x1b[0;${sgr}m`
    pen = sgr
  }
  const setLink = (id: number): void => {
    if (id === linkId) return
    linkId = id
    const data = id === 0 ? undefined : hyperlink(id)
    const next =
      data === undefined
        ? ""
        : `${data.id === undefined ? "" : `id=${data.id}`};${data.uri}`.replace(/[\x00-\x1f\x7f]/g, "")
    // Adjacent links to the same address are one link to the user.
    if (next === link) return
    link = next
    out += `\x1b]8;${next === "" ? ";" : next}\x1b\\`
  }
  /** Draws a cell's characters as a cell of its own, so that they do not combine with the previous one. */
  const put = (chars: string): void => {
    const code = chars.codePointAt(0) ?? 0
    if (code >= 0x300 && previous !== "" && joins(charProperties(code, propertiesOf(previous))))
      out += pen === "" ? "\x1b[m" : `\x1b[0;${pen}m`
    out += chars
    previous = chars
  }
  /** SGR parameters and background of the current cell, cached because equal cells come in runs. */
  const attributes = () => {
    const fg = internals.fg ?? -1
    const bg = internals.bg ?? -1
    const ext = internals.hasExtendedAttrs?.() ? (internals.extended?.ext ?? 0) : 0
    const linked = hyperlinkOf(internals) !== 0
    if (
      cached === undefined ||
      fg < 0 ||
      cached.fg !== fg ||
      cached.bg !== bg ||
      cached.ext !== ext ||
      cached.linked !== linked
    ) {
      const cellPen = penOf(cell)
      cached = { fg, bg, ext, linked, sgr: Pen.parameters(cellPen), background: cellPen.background }
    }
    return cached
  }

  /** Draws one row from its first column; `stale`: its cells may have a background left by a wrap. */
  const row = (buffer: Rows, y: number, stale: boolean): void => {
    const line = buffer.getLine(y)
    if (line === undefined) return
    let blanks = 0
    let blankBackground = ""
    const fill = (last: boolean): void => {
      if (blanks === 0) return
      const drawn = out.length
      setLink(0)
      setPen(blankBackground)
      if (last) {
        if (blankBackground !== "" || stale) out += "\x1b[K"
      } else out += (blankBackground !== "" || stale ? `\x1b[${blanks}X` : "") + `\x1b[${blanks}C`
      // A column that only makes the next character wrap is not drawn; that character follows directly.
      if (out.length > drawn) previous = ""
      blanks = 0
    }
    for (let x = 0; x < terminal.cols; x++) {
      if (line.getCell(x, cell) === undefined) break
      if (cell.getWidth() === 0) continue
      const chars = cell.getChars()
      const { background, sgr } = attributes()
      if (chars === "") {
        if (blanks > 0 && background !== blankBackground) fill(false)
        blankBackground = background
        blanks++
        continue
      }
      fill(false)
      setLink(hyperlinkOf(internals))
      setPen(sgr)
      // Half of a wide character that a narrower window cut: drawn in full it would wrap.
      put(cell.getWidth() > terminal.cols - x ? " " : chars)
    }
    fill(true)
  }

  return {
    /** Draws rows `from` to `to` (exclusive) from the first one's start; wrapped rows stay wrapped if possible. */
    rows: (buffer: Rows, from: number, to: number): void => {
      for (let y = from; y < to; y++) {
        let wraps = false
        if (y > from && buffer.getLine(y)?.isWrapped === true) {
          const before = buffer.getLine(y - 1)!
          const first = buffer.getLine(y)!.getCell(0, cell)
          const next =
            first === undefined
              ? { chars: "", width: 0, stale: false }
              : { chars: first.getChars(), width: first.getWidth(), stale: attributes().background !== "" }
          const tail = before.getCell(terminal.cols - 1, cell)
          // Only a character in the last column makes the next one wrap, or a wide one without room there.
          const full = tail !== undefined && (tail.getChars() !== "" || tail.getWidth() === 0)
          const short =
            !full &&
            next.width === 2 &&
            terminal.cols > 1 &&
            (before.getCell(terminal.cols - 2, cell)?.getChars() !== "" || cell.getWidth() === 0)
          wraps = next.chars !== "" && (full || short)
          if (wraps) {
            row(buffer, y, next.stale || pen !== "")
            continue
          }
        }
        if (y > from) {
          setLink(0)
          setPen("")
          out += "\r\n"
          previous = ""
        }
        row(buffer, y, false)
      }
      setLink(0)
      setPen("")
    },
    /**
     * Draws columns `from` to `to` (exclusive) of a row as text that begins and ends in the default pen, without blanks
     * at its end; half of a wide character becomes a blank. Returns the column where it ends.
     */
    part: (buffer: IBuffer, y: number, from: number, to: number): number => {
      const line = buffer.getLine(y)
      let end = from
      let blanks = 0
      for (let x = from; x < Math.min(to, terminal.cols); x++) {
        if (line?.getCell(x, cell) === undefined) break
        const width = cell.getWidth()
        if (width === 0 && x > from) continue
        const chars = width === 0 || width > Math.min(to, terminal.cols) - x ? "" : cell.getChars()
        const { background, sgr } = attributes()
        if (chars === "" && background === "") {
          blanks++
          continue
        }
        if (blanks > 0) {
          setLink(0)
          setPen("")
          out += " ".repeat(blanks)
          previous = ""
          blanks = 0
        }
        setLink(chars === "" ? 0 : hyperlinkOf(internals))
        setPen(chars === "" ? background : sgr)
        put(chars === "" ? " " : chars)
        end = x + Math.max(1, chars === "" ? 1 : width)
      }
      setLink(0)
      setPen("")
      return end
    },
    /** Draws a cell again: writing the last column leaves the cursor waiting to wrap. */
    redraw: (buffer: IBuffer, x: number, y: number): void => {
      const line = buffer.getLine(y)
      // A cell without a character cannot put the cursor there.
      if (line?.getCell(x, cell) === undefined || cell.getChars() === "") return
      setLink(hyperlinkOf(internals))
      setPen(attributes().sgr)
      out += cell.getChars()
      setLink(0)
      setPen("")
    },
    raw: (bytes: string): void => {
      previous = ""
      out += bytes
    },
    result: (): string => out
  }
}
