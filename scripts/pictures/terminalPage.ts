import type { IBufferCell, Terminal } from "@xterm/headless"

/** The sixteen colours on a dark ground. */
const palette = (
  "#0d1117 #f87171 #4ade80 #facc15 #60a5fa #c084fc #22d3ee #d1d5db " +
  "#6b7280 #fca5a5 #86efac #fde047 #93c5fd #d8b4fe #67e8f9 #ffffff"
).split(" ")
const [ground = ""] = palette
const text = palette[7] ?? ""
const steps = [0, 95, 135, 175, 215, 255]

const colourOf = (value: number, isPalette: boolean, isRgb: boolean, otherwise: string): string => {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`
  if (!isPalette) return otherwise
  if (value < 16) return palette[value] ?? otherwise
  if (value >= 232) return `rgb(${[0, 0, 0].map(() => 8 + (value - 232) * 10).join()})`
  const cube = value - 16
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => steps[step]).join()})`
}

const styleOf = (cell: IBufferCell): string => {
  const fore = colourOf(cell.getFgColor(), cell.isFgPalette(), cell.isFgRGB(), text)
  const back = colourOf(cell.getBgColor(), cell.isBgPalette(), cell.isBgRGB(), ground)
  const [ink, paper] = cell.isInverse() !== 0 ? [back, fore] : [fore, back]
  return [
    `color:${ink}`,
    paper === ground ? "" : `background:${paper}`,
    cell.isBold() !== 0 ? "font-weight:700" : "",
    cell.isDim() !== 0 ? "opacity:.65" : "",
    cell.isUnderline() !== 0 ? "text-decoration:underline" : ""
  ]
    .filter((part) => part !== "")
    .join(";")
}

const escaped = (chars: string): string =>
  chars.replace(/[&<>]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[char] ?? char)

/** A terminal's screen as a page that draws it: each cell in its place, whatever the font makes of its character. */
export const terminalPage = ({ buffer, cols, rows }: Terminal): string => {
  const lines = Array.from({ length: rows }, (_, y) => {
    const line = buffer.active.getLine(y)
    return Array.from({ length: cols }, (_, x) => {
      const cell = line?.getCell(x)
      if (cell === undefined || cell.getWidth() === 0) return ""
      const chars = cell.getChars() === "" ? " " : cell.getChars()
      return `<i style="width:${cell.getWidth()}ch;${styleOf(cell)}">${escaped(chars)}</i>`
    }).join("")
  })
  const css =
    `pre{margin:0;padding:12px;background:${ground};font:14px/20px "DejaVu Sans Mono",monospace;width:max-content}` +
    "div{height:20px;white-space:nowrap}i{display:inline-block;font-style:normal;height:20px;overflow:hidden;white-space:pre}"
  return `<!doctype html><meta charset="utf-8"><style>${css}</style><pre>${lines.map((line) => `<div>${line}</div>`).join("")}</pre>`
}
