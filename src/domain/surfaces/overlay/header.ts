import { clean, shorten, width } from "../tui/Cells.ts"
import { fitLine, span, type StyledLine } from "../tui/Paint.ts"
import { stateLine } from "../../words/wording/StateLine.ts"
import type { OverlayContext } from "./OverlayContext.ts"

export const header = (title: string, { status, tag }: OverlayContext, cols: number): StyledLine => {
  const state = status === null ? "" : ` ${clean(stateLine(status, false))} `
  const line = fitLine([span("── ", "faint"), span(`${title} `, "accent", true), span(clean(tag), "plain", true)], cols)
  const used = line.reduce((sum, { text }) => sum + width(text), 0)
  const rest = shorten(state, Math.max(0, cols - used - 2))
  return fitLine([...line, span(rest === "" ? " " : ` ${rest.trim()} `), span("─".repeat(cols), "faint")], cols)
}
