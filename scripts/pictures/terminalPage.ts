import type { IBufferCell, Terminal } from "@xterm/headless"
import { coloursOf, escaped, ground } from "./pens.ts"

const styleOf = (cell: IBufferCell): string => {
  const { ink, paper } = coloursOf(cell)
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
