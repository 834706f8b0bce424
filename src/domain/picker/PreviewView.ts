import { shorten, width, wrap } from "./Cells.ts"
import { layoutOf } from "./Layout.ts"
import { type Line, span, type Style } from "./Paint.ts"
import { type PickerState, selectedOf } from "./Picker.ts"
import { age, bytesText, type Entry, type Preview } from "./Rows.ts"

/** What is known of the selected session, and its last exchange: as many lines as the layout gives. */
export const previewLines = (state: PickerState, now: number): ReadonlyArray<Line> => {
  const place = layoutOf(state.size).preview
  if (place === null) return []
  const entry = selectedOf(state)
  if (entry === null) return Array.from({ length: place.rows }, (): Line => [])
  const head = place.place === "below" ? [ruleLine(entry, place.cols)] : headLines(entry, place.cols, now)
  const body = exchange(state.previews.get(entry.key) ?? null, place.cols, place.rows - head.length)
  return Array.from({ length: place.rows }, (_, y) => [...head, ...body][y] ?? [])
}

const facts = ({ badge, id, row, tag }: Entry): ReadonlyArray<string> => [
  tag, badge, id, ...(row.bytes === null ? [] : [bytesText(row.bytes)])
]

const ruleLine = (entry: Entry, cols: number): Line => {
  const text = shorten(` ${facts(entry).join(" · ")} `, Math.max(0, cols - 4))
  return [span("──", "faint"), span(text), span("─".repeat(Math.max(0, cols - width(text) - 2)), "faint")]
}

const headLines = (entry: Entry, cols: number, now: number): ReadonlyArray<Line> => {
  const { badge, id, path, row, tag } = entry
  const seen = age(row.lastSeen, now)
  const size = row.bytes === null ? "" : bytesText(row.bytes)
  return [
    [span(shorten(`${tag} · ${badge}`, cols), "plain", true)],
    [span(shorten([id, size, seen === "" ? "" : `${seen} ago`].filter((part) => part !== "").join(" · "), cols), "faint")],
    ...wrap(path, cols, 2).map((line): Line => [span(line, "faint")]),
    []
  ]
}

const indent = 2

/** The last message of either side; the user's has a third of the rows, or what the other leaves. */
const exchange = (preview: Preview | null, cols: number, rows: number): ReadonlyArray<Line> => {
  if (preview === null || rows <= 0) return []
  const inner = cols - indent
  const asked = preview.lastUser ?? ""
  const answered = preview.lastAssistant ?? ""
  const gap = rows >= 8 && asked !== "" && answered !== "" ? 1 : 0
  const others = wrap(answered, inner, rows).length
  const user = wrap(asked, inner, Math.max(answered === "" ? rows : Math.ceil(rows / 3), rows - others - gap))
  const assistant = wrap(answered, inner, rows - user.length - gap)
  const block = (lines: ReadonlyArray<string>, glyph: string, style: Style): ReadonlyArray<Line> =>
    lines.map((line, i): Line => [span(i === 0 ? `${glyph} ` : "  ", "accent"), span(line, style)])
  return [...block(user, "›", "plain"), ...(gap === 1 ? [[]] : []), ...block(assistant, "•", "plain")]
}
