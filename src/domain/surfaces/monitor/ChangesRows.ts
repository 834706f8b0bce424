import type { PatchFile, PatchLine } from "../../store/worktrees/patchLines.ts"
import type { Part } from "../../store/worktrees/sideBySide.ts"
import { clean, clip, pad, shortenStart, width } from "../tui/Cells.ts"
import { topAround } from "../tui/List.ts"
import { padLine, ruleLine, span, type Style, type StyledLine } from "../tui/Paint.ts"
import type { ChangesMode } from "./MonitorState.ts"

/** From this many columns on, the files are shown beside the patch. */
const besideFrom = 100
const filesMost = 40
/** Columns of a line number and the space after it. */
const numberCols = 6
const tabCols = 4

const patchText = (text: string): string => clean(text.replaceAll("\t", " ".repeat(tabCols)))

const patchStyles: Readonly<Record<PatchLine["kind"], Style>> = {
  added: "live",
  removed: "bad",
  same: "plain",
  hunk: "accent",
  about: "faint"
}

const markStyles: Partial<Record<PatchLine["kind"], Style>> = { added: "liveMark", removed: "badMark" }

/**
 * A line of a patch in its colours, its first character apart. `part`: where it differs from the line that takes its
 * place.
 */
export const patchSpans = ({ kind, text }: Pick<PatchLine, "kind" | "text">, [from, to]: Part = [0, 0]): StyledLine => {
  const style = patchStyles[kind]
  const piece = (start: number, end?: number, its = style) => span(patchText(text.slice(start, end)), its)
  return [
    piece(0, 1),
    ...[piece(1, from + 1), piece(from + 1, to + 1, markStyles[kind] ?? style), piece(to + 1)].filter(
      (one) => one.text !== ""
    )
  ]
}

/** The line without its first columns. */
const shifted = (line: StyledLine, cols: number): StyledLine => {
  let left = cols
  return line.map((part) => {
    const gone = clip(part.text, left)
    left = gone.length < part.text.length ? 0 : left - width(gone)
    return { ...part, text: part.text.slice(gone.length) }
  })
}

const fileText = ({ added, name, removed }: PatchFile, cols: number): string => {
  const count = `+${added} −${removed}`
  return pad(shortenStart(clean(name), Math.max(1, cols - count.length - 1)), cols - count.length) + count
}

const fileRows = ({ at, files }: ChangesMode, cols: number, rows: number): ReadonlyArray<StyledLine> => {
  const top = topAround(at, rows, files.length)
  return files.slice(top, top + rows).map((file, y): StyledLine => {
    const isChosen = top + y === at
    return [span(isChosen ? "❯ " : "  ", "accent", true), span(fileText(file, cols - 2), "plain", isChosen)]
  })
}

const patchRow = (line: PatchLine, part: Part | undefined, left: number, cols: number): StyledLine => {
  const [sign, ...rest] = patchSpans(line, part)
  const number = span(`${line.at ?? ""}`.padStart(numberCols - 1) + " ", "faint")
  return padLine([number, sign!, ...(line.at === null ? rest : shifted(rest, left))], cols)
}

/** How many rows of the patch are in sight, below the summary and, in a narrow window, the file's name. */
export const patchRowsIn = (cols: number, rows: number): number => Math.max(1, rows - (cols >= besideFrom ? 1 : 2))

export const topMost = ({ at, files }: ChangesMode, cols: number, rows: number): number =>
  Math.max(0, (files[at]?.lines.length ?? 0) - patchRowsIn(cols, rows))

export const changesLines = (mode: ChangesMode, cols: number, rows: number): ReadonlyArray<StyledLine> => {
  const { at, files, left, parts, said, tag, top } = mode
  const file = files[at]
  const room = patchRowsIn(cols, rows)
  const count = file?.lines.length ?? 0
  const place = count > room ? ` · ${top + 1}–${Math.min(top + room, count)} of ${count}` : ""
  const head = ruleLine(`${tag}${place} · ${clean(said ?? "looking …")}`, cols, "plain")
  if (file === undefined) return [head]
  const patch = (its: number): ReadonlyArray<StyledLine> =>
    Array.from({ length: room }, (_, y) => {
      const line = file.lines[top + y]
      return line === undefined ? padLine([], its) : patchRow(line, parts.get(line), left, its)
    })
  if (cols < besideFrom) {
    const number = `❯ ${at + 1}/${files.length} `
    return [
      head,
      [span(number, "accent", true), span(fileText(file, cols - number.length), "plain", true)],
      ...patch(cols)
    ]
  }
  const listCols = Math.min(filesMost, Math.floor(cols * 0.3))
  const list = fileRows(mode, listCols, room)
  return [
    head,
    ...patch(cols - listCols - 2).map((line, y): StyledLine => [
      ...padLine(list[y] ?? [], listCols),
      span("│ ", "faint"),
      ...line
    ])
  ]
}
