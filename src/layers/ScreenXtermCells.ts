import type { IBuffer, IBufferCell, Terminal } from "@xterm/headless"
import * as Pen from "../domain/Pen.ts"
import type { ScreenRun } from "../domain/Screen.ts"

/** What xterm's cells know beyond its public types: underline styles and hyperlinks. Absent in other versions, perhaps. */
interface Extended {
  readonly fg?: number
  readonly bg?: number
  readonly extended?: { readonly ext?: number; readonly urlId?: number }
  /** False: `extended` is a left-over of another cell. */
  readonly hasExtendedAttrs?: () => number
  readonly getUnderlineStyle?: () => number
  readonly getUnderlineColor?: () => number
  readonly isUnderlineColorDefault?: () => boolean
  readonly isUnderlineColorRGB?: () => boolean
}

interface WithLinks {
  readonly _core?: {
    readonly _oscLinkService?: { readonly getLinkData?: (id: number) => { readonly id?: string; readonly uri: string } | undefined }
  }
}

/** "Underlined" in a cell's foreground word. */
const underlineBit = 0x10000000

const linkOf = (cell: Extended): number => cell.hasExtendedAttrs?.() ? cell.extended?.urlId ?? 0 : 0

/** How a cell is drawn. */
export const penOf = (cell: IBufferCell): Pen.Pen => {
  const more = cell as unknown as Extended
  const color = (base: 38 | 48, value: number, isRgb: boolean, isDefault: boolean): string =>
    isDefault
      ? ""
      : isRgb
      ? Pen.rgb(base, (value >> 16) & 255, (value >> 8) & 255, value & 255)
      : Pen.indexed(base, value)
  // xterm draws links underlined and says so; what the program asked for is in the bits
  const linked = linkOf(more) !== 0
  const underline = linked && more.fg !== undefined ? (more.fg & underlineBit) !== 0 : cell.isUnderline() !== 0
  let underlineColor = ""
  if (underline && more.isUnderlineColorDefault?.() === false) {
    const value = more.getUnderlineColor?.() ?? 0
    underlineColor = more.isUnderlineColorRGB?.() === true
      ? Pen.underlineRgb((value >> 16) & 255, (value >> 8) & 255, value & 255)
      : Pen.underlineIndexed(value & 255)
  }
  return {
    bold: cell.isBold() !== 0,
    faint: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: underline ? linked ? 1 : more.getUnderlineStyle?.() || 1 : 0,
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

/** A row of a buffer as runs of one colour; a cell without a character takes the colour of letters from its neighbour. */
export const runsOf = (buffer: IBuffer, y: number, cols: number): ReadonlyArray<ScreenRun> => {
  const line = buffer.getLine(y)
  const cell = buffer.getNullCell()
  const runs: Array<{ x: number; text: string; foreground: string; background: string }> = []
  for (let x = 0; x < cols && line?.getCell(x, cell) !== undefined; x++) {
    const width = cell.getWidth()
    if (width === 0) continue
    const pen = penOf(cell)
    const [front, back] = pen.inverse ? [pen.background || "background", pen.foreground || "foreground"] : [pen.foreground, pen.background]
    const text = cell.getChars() || " ".repeat(width)
    const last = runs.at(-1)
    if (last !== undefined && last.background === back && (last.foreground === front || text.trim() === "")) last.text += text
    else runs.push({ x, text, foreground: front, background: back })
  }
  return runs
}

/** Draws rows of one buffer with as few sequences as the cells need. */
export const makePainter = (terminal: Terminal) => {
  const links = (terminal as unknown as WithLinks)._core?._oscLinkService
  const cell = terminal.buffer.active.getNullCell()
  const look = cell as unknown as Extended
  let out = ""
  let pen = ""
  let linkId = 0
  let link = ""
  let seen: { readonly fg: number; readonly bg: number; readonly ext: number; readonly linked: boolean; readonly sgr: string; readonly background: string } | undefined

  const setPen = (sgr: string): void => {
    if (sgr === pen) return
    out += sgr === "" ? "\x1b[m" : `\x1b[0;${sgr}m`
    pen = sgr
  }
  const setLink = (id: number): void => {
    if (id === linkId) return
    linkId = id
    const data = id === 0 ? undefined : links?.getLinkData?.(id)
    const next = data === undefined ? "" : `${data.id === undefined ? "" : `id=${data.id}`};${data.uri}`.replace(/[\x00-\x1f\x7f]/g, "")
    // two links to one place that follow each other are one for whoever clicks
    if (next === link) return
    link = next
    out += `\x1b]8;${next === "" ? ";" : next}\x1b\\`
  }
  /** SGR parameters and background of the cell at hand; cells of one look come in runs. */
  const lookOf = () => {
    const fg = look.fg ?? -1
    const bg = look.bg ?? -1
    const ext = look.hasExtendedAttrs?.() ? look.extended?.ext ?? 0 : 0
    const linked = linkOf(look) !== 0
    if (seen === undefined || fg < 0 || seen.fg !== fg || seen.bg !== bg || seen.ext !== ext || seen.linked !== linked) {
      const now = penOf(cell)
      seen = { fg, bg, ext, linked, sgr: Pen.parameters(now), background: now.background }
    }
    return seen
  }

  /** Draws one row from its first column; `stale`: its cells may hold a background that a wrap has left. */
  const row = (buffer: IBuffer, y: number, stale: boolean): void => {
    const line = buffer.getLine(y)
    if (line === undefined) return
    let blanks = 0
    let blankBackground = ""
    const fill = (last: boolean): void => {
      if (blanks === 0) return
      setLink(0)
      setPen(blankBackground)
      if (last) {
        if (blankBackground !== "" || stale) out += "\x1b[K"
      } else out += (blankBackground !== "" || stale ? `\x1b[${blanks}X` : "") + `\x1b[${blanks}C`
      blanks = 0
    }
    for (let x = 0; x < terminal.cols; x++) {
      if (line.getCell(x, cell) === undefined) break
      if (cell.getWidth() === 0) continue
      const chars = cell.getChars()
      const { background, sgr } = lookOf()
      if (chars === "") {
        if (blanks > 0 && background !== blankBackground) fill(false)
        blankBackground = background
        blanks++
        continue
      }
      fill(false)
      setLink(linkOf(look))
      setPen(sgr)
      // half of a wide character that a narrower window has cut: drawn whole it would wrap
      out += cell.getWidth() > terminal.cols - x ? " " : chars
    }
    fill(true)
  }

  return {
    /** Draws rows `from` to `to` (exclusive), the cursor being at the start of the first; wrapped rows stay wrapped where they can. */
    rows: (buffer: IBuffer, from: number, to: number): void => {
      for (let y = from; y < to; y++) {
        let wraps = false
        if (y > from && buffer.getLine(y)?.isWrapped === true) {
          const before = buffer.getLine(y - 1)!
          const first = buffer.getLine(y)!.getCell(0, cell)
          const next = first === undefined ? { chars: "", width: 0, stale: false } : { chars: first.getChars(), width: first.getWidth(), stale: lookOf().background !== "" }
          const tail = before.getCell(terminal.cols - 1, cell)
          // only a character at the last column makes the next one wrap, or a wide one that has no room there
          const full = tail !== undefined && (tail.getChars() !== "" || tail.getWidth() === 0)
          const short = !full && next.width === 2 && terminal.cols > 1 && (before.getCell(terminal.cols - 2, cell)?.getChars() !== "" || cell.getWidth() === 0)
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
        }
        row(buffer, y, false)
      }
      setLink(0)
      setPen("")
    },
    /** Draws the cell at a place again: a character in the last column leaves the cursor waiting to wrap. */
    again: (buffer: IBuffer, x: number, y: number): void => {
      const line = buffer.getLine(y)
      // a cell that was erased since gives the cursor no way to go there
      if (line?.getCell(x, cell) === undefined || cell.getChars() === "") return
      setLink(linkOf(look))
      setPen(lookOf().sgr)
      out += cell.getChars()
      setLink(0)
      setPen("")
    },
    raw: (bytes: string): void => {
      out += bytes
    },
    result: (): string => out
  }
}
