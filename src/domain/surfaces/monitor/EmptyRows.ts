import { oneLine } from "../../words/text/printable.ts"
import { shorten, wrap } from "../tui/Cells.ts"
import { span, type StyledLine } from "../tui/Paint.ts"
import type { Found, MonitorState } from "./MonitorState.ts"

const keyRow = (key: string, does: string): StyledLine => [span(`  ${key}  `, "accent", true), span(does)]

const startRows = ({ branch, clis, place }: Found, cols: number): ReadonlyArray<StyledLine> => [
  keyRow("n", `start a session in ${oneLine(place, 60)}${branch === null ? "" : `, branch ${oneLine(branch, 40)}`}`),
  ...wrap(
    `found: ${clis.map(({ displayName, version }) => [displayName, version ?? []].flat().join(" ")).join(" · ")}`,
    Math.max(8, cols - 6),
    4
  ).map((row): StyledLine => [span(`     ${row}`, "faint")])
]

const installRows = ({ missing }: Found): ReadonlyArray<StyledLine> => [
  [span("  No CLI that leap hosts is installed here. Any one of these will do:", "plain", true)],
  ...missing.map(({ displayName, hint }): StyledLine => [span(`  ${oneLine(displayName, 16).padEnd(16)}  ${hint}`)])
]

export const emptyRows = ({ found, size: { cols } }: MonitorState): ReadonlyArray<StyledLine> => {
  if (found === null) return [[span("  looking for CLIs …", "faint")]]
  const earlier = found.earlier === 1 ? "1 earlier conversation" : `${found.earlier} earlier conversations`
  const rows: ReadonlyArray<StyledLine> = [
    [],
    ...(found.clis.length === 0 ? installRows(found) : startRows(found, cols)),
    ...(found.earlier === 0 ? [] : [[], keyRow("r", `go on with one of ${earlier}`)]),
    [],
    keyRow("d", "watch the show: a scripted CLI, no account, no network")
  ]
  return rows.map((row) => row.map((it) => ({ ...it, text: shorten(it.text, cols) })))
}

export const emptyHint = ({ found }: MonitorState): string =>
  [
    ...(found === null || found.clis.length === 0 ? [] : ["n start"]),
    ...(found === null || found.earlier === 0 ? [] : ["r earlier conversations"]),
    "d show",
    "? keys",
    "q leave"
  ].join(" · ")
