import { shorten, wrap } from "../tui/Cells.ts"
import { layoutOf } from "../tui/Layout.ts"
import { ruleLine, type StyledLine, span, type Style } from "../tui/Paint.ts"
import { type PickerState, selectedOf } from "./Picker.ts"
import { age, bytesText, type PickEntry, type Preview } from "./Rows.ts"

/** The selected session's details and last exchange: as many lines as the layout has rows. */
export const previewLines = (state: PickerState, now: number): ReadonlyArray<StyledLine> => {
  const place = layoutOf(state.size).preview
  if (place === null) return []
  const entry = selectedOf(state)
  if (entry === null) return Array.from({ length: place.rows }, (): StyledLine => [])
  const head =
    place.place === "below"
      ? [ruleLine(facts(entry).join(" · "), place.cols, "plain")]
      : headLines(entry, place.cols, now)
  const body = exchange(state.previews.get(entry.key) ?? null, place.cols, place.rows - head.length)
  return Array.from({ length: place.rows }, (_, y) => [...head, ...body][y] ?? [])
}

const facts = ({ badge, id, row, tag }: PickEntry): ReadonlyArray<string> => [
  tag,
  badge,
  id,
  ...(row.bytes === null ? [] : [bytesText(row.bytes)])
]

const headLines = (entry: PickEntry, cols: number, now: number): ReadonlyArray<StyledLine> => {
  const { badge, id, path, row, tag } = entry
  const seen = age(row.lastSeen, now)
  const size = row.bytes === null ? "" : bytesText(row.bytes)
  return [
    [span(shorten(`${tag} · ${badge}`, cols), "plain", true)],
    [
      span(
        shorten([id, size, seen === "" ? "" : `${seen} ago`].filter((part) => part !== "").join(" · "), cols),
        "faint"
      )
    ],
    ...wrap(path, cols, 2).map((line): StyledLine => [span(line, "faint")]),
    []
  ]
}

const indent = 2

/** The last message of each side; the user's has a third of the rows, or what the other leaves. */
const exchange = (preview: Preview | null, cols: number, rows: number): ReadonlyArray<StyledLine> => {
  if (preview === null || rows <= 0) return []
  const inner = cols - indent
  const userText = preview.lastUser ?? ""
  const assistantText = preview.lastAssistant ?? ""
  const gap = rows >= 8 && userText !== "" && assistantText !== "" ? 1 : 0
  const others = wrap(assistantText, inner, rows).length
  const user = wrap(userText, inner, Math.max(assistantText === "" ? rows : Math.ceil(rows / 3), rows - others - gap))
  const assistant = wrap(assistantText, inner, rows - user.length - gap)
  const block = (lines: ReadonlyArray<string>, glyph: string, style: Style): ReadonlyArray<StyledLine> =>
    lines.map((line, i): StyledLine => [span(i === 0 ? `${glyph} ` : "  ", "accent"), span(line, style)])
  return [...block(user, "›", "plain"), ...(gap === 1 ? [[]] : []), ...block(assistant, "•", "plain")]
}
