import type { IBufferCell } from "@xterm/headless"

/** The sixteen colours on a dark ground. */
const palette = (
  "#0d1117 #f87171 #4ade80 #facc15 #60a5fa #c084fc #22d3ee #d1d5db " +
  "#6b7280 #fca5a5 #86efac #fde047 #93c5fd #d8b4fe #67e8f9 #ffffff"
).split(" ")
export const ground = palette[0] ?? ""
export const text = palette[7] ?? ""
const steps = [0, 95, 135, 175, 215, 255]

const colourOf = (value: number, isPalette: boolean, isRgb: boolean, otherwise: string): string => {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`
  if (!isPalette) return otherwise
  if (value < 16) return palette[value] ?? otherwise
  if (value >= 232) return `rgb(${[0, 0, 0].map(() => 8 + (value - 232) * 10).join()})`
  const cube = value - 16
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => steps[step]).join()})`
}

/** The colours that a cell is drawn with. */
export const coloursOf = (cell: IBufferCell): { readonly ink: string; readonly paper: string } => {
  const fore = colourOf(cell.getFgColor(), cell.isFgPalette(), cell.isFgRGB(), text)
  const back = colourOf(cell.getBgColor(), cell.isBgPalette(), cell.isBgRGB(), ground)
  return cell.isInverse() !== 0 ? { ink: back, paper: fore } : { ink: fore, paper: back }
}

export const escaped = (chars: string): string =>
  chars.replace(/[&<>]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[char] ?? char)
