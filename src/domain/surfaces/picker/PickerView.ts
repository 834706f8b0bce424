import { clip, shorten, shortenStart, width, wrap } from "../tui/Cells.ts"
import { isEmpty, shownLine } from "../tui/Editor.ts"
import { layoutOf, window } from "../tui/Layout.ts"
import { hintsIn, moreText } from "../tui/List.ts"
import {
  fitLine,
  type PaintFrame,
  type StyledLine,
  lineWidth,
  padLine,
  span,
  type Span,
  type Style,
  ruleLine
} from "../tui/Paint.ts"
import { type PickerState, selectedOf } from "./Picker.ts"
import * as Rows from "./Rows.ts"

/** The picker's screen: exactly as many lines as it has rows, none wider than its columns. */
export const view = (state: PickerState, now: number): PaintFrame => {
  const layout = layoutOf(state.size)
  const { cols, rows } = layout
  const search = searchLine(state)
  const list = listLines(state, now)
  const preview = layout.preview === null ? [] : previewLines(state, now)
  const middle =
    layout.preview?.place === "beside"
      ? list.map((line, y): StyledLine => [
          ...padLine(line, layout.list.cols),
          span("│ ", "faint"),
          ...(preview[y] ?? [])
        ])
      : [...list, ...preview]
  const lines = [search.line, ...middle, ...(layout.footer ? [footerLine(state)] : [])]
  return {
    lines: Array.from({ length: rows }, (_, y) => fitLine(lines[y] ?? [], cols)),
    cursor: { x: Math.max(0, Math.min(cols - 1, search.cursor)), y: 0 }
  }
}

const wide = 40
/** The columns that the query needs before anything is shown beside it. */
const queryRoom = 8

const searchLine = (state: PickerState): { readonly line: StyledLine; readonly cursor: number } => {
  const { cols } = state.size
  const prompt = cols >= wide ? "Resume › " : "› "
  const [matching, all] = [state.matches.length, state.entries.length]
  const beside = (count: string): number => cols - width(prompt) - width(count) - 2
  const count =
    [`${matching} of ${all}${state.onlyHere ? " · this directory" : ""}`, `${matching}/${all}`].find(
      (count, i) => beside(count) >= (i === 0 ? wide - queryRoom : queryRoom)
    ) ?? ""
  const room = count === "" ? cols - width(prompt) - 1 : beside(count)
  const query = shownLine(state.query, room)
  const left: StyledLine = [
    span(prompt, "accent", true),
    isEmpty(state.query) ? span(shorten("type to search", room), "faint") : span(query.text)
  ]
  const gap = span(" ".repeat(Math.max(0, cols - lineWidth(left) - width(count))))
  return { line: [...left, gap, span(count, "faint")], cursor: width(prompt) + query.x }
}

const listLines = (state: PickerState, now: number): ReadonlyArray<StyledLine> => {
  const { cols, rows } = layoutOf(state.size).list
  const count = state.matches.length
  if (count === 0)
    return Array.from({ length: rows }, (_, y): StyledLine => (y === 0 ? [span(`  ${nothing(state)}`, "faint")] : []))
  const height = window(count, rows)
  const words = Rows.wordsOf(state.query.text)
  const shape = columnsFor(state, cols)
  const lines = state.matches.slice(state.top, state.top + height).map((entry, i) =>
    entryLine(entry, shape, {
      now,
      words,
      selected: state.top + i === state.selected,
      badge: state.clis.indexOf(entry.row.cli)
    })
  )
  const below = Math.max(0, count - state.top - height)
  const others = height === rows ? [] : [[span(`  … ${moreText(state.top, below)}`, "faint")]]
  return Array.from({ length: rows }, (_, y): StyledLine => fitLine([...lines, ...others][y] ?? [], cols))
}

const nothing = ({ entries, onlyHere, query }: PickerState): string =>
  entries.length === 0
    ? "no sessions yet"
    : isEmpty(query)
      ? "no sessions of this directory (Tab: all)"
      : `no session matches${onlyHere ? " in this directory (Tab: all)" : ""}`

/** Columns of a list line; 0: not shown. */
interface Columns {
  readonly gap: string
  readonly tag: number
  readonly badge: number
  readonly id: number
  readonly size: number
  readonly rest: number
}

const marker = 2
const ageWidth = 4
const sizeWidth = 7

/** In a narrow list the tag and its age come first, then the CLI, then the rest. */
const columnsFor = ({ widest }: PickerState, cols: number): Columns => {
  const gap = cols >= 64 ? "  " : " "
  const tag = Math.min(
    widest.tag,
    cols >= 100 ? 32 : cols >= 64 ? 20 : cols >= 44 ? 16 : Math.max(4, cols - marker - ageWidth - 4)
  )
  const badge = cols >= 44 ? Math.min(widest.badge, cols >= 90 ? Rows.badgeLimit : cols >= 64 ? 12 : 10) : 0
  const id = widest.several && cols >= 64 ? Rows.idLength : 0
  const size = cols >= 100 ? sizeWidth : 0
  const used =
    marker + [tag, badge, ageWidth, id, size].reduce((sum, column) => sum + (column === 0 ? 0 : column + gap.length), 0)
  return { gap, tag, badge, id, size, rest: Math.max(0, cols - used) }
}

interface RowContext {
  readonly now: number
  readonly words: ReadonlyArray<string>
  readonly selected: boolean
  readonly badge: number
}

const badges: ReadonlyArray<Style> = ["badge0", "badge1", "badge2", "badge3", "badge4", "badge5"]

const entryLine = (
  entry: Rows.PickEntry,
  columns: Columns,
  { badge, now, selected, words }: RowContext
): StyledLine => {
  const { row } = entry
  const column = (spans: StyledLine, cols: number): StyledLine =>
    cols === 0 ? [] : [...padLine(spans, cols), span(columns.gap)]
  const id = words
    .filter((word) => entry.idFolded.startsWith(word))
    .reduce((most, word) => Math.max(most, word.length), 0)
  const idText = entry.oneOfSeveral || id > 0 ? clip(entry.id, Rows.idLength) : ""
  const line: StyledLine = [
    span(selected ? "❯ " : "  ", "accent"),
    ...column(highlight(shorten(entry.tag, columns.tag), words, "plain"), columns.tag),
    ...column(
      highlight(shorten(entry.badge, columns.badge), words, badges[badge % badges.length] ?? "plain"),
      columns.badge
    ),
    ...column([span(Rows.age(row.lastSeen, now).padStart(ageWidth))], ageWidth),
    ...column([span(idText.slice(0, id), "match"), span(idText.slice(id), "faint")], columns.id),
    ...column([span(row.bytes === null ? "" : Rows.bytesText(row.bytes).padStart(sizeWidth), "faint")], columns.size),
    ...placeOf(entry, columns, words, selected)
  ]
  return selected ? line.map((part) => span(part.text, part.style, true)) : line
}

const leastPath = 8

/** The session's directory and its marks. Marks lose their words before the directory is dropped. */
const placeOf = (
  entry: Rows.PickEntry,
  { rest }: Columns,
  words: ReadonlyArray<string>,
  selected: boolean
): StyledLine => {
  const marks = (long: boolean): ReadonlyArray<Span> => [
    ...(entry.liveAs === null
      ? []
      : [span(long ? `● live${entry.liveAs === entry.tag ? "" : ` as ${shorten(entry.liveAs, 20)}`}` : "●", "live")]),
    ...(entry.row.missing ? [span(long ? "✗ missing" : "✗", "bad")] : []),
    ...(entry.here && long ? [span("here", "accent")] : [])
  ]
  const spaced = (list: ReadonlyArray<Span>, gap: string): StyledLine =>
    list.flatMap((mark, i) => (i === 0 ? [mark] : [span(gap), mark]))
  const full = spaced(marks(true), "  ")
  const roomOf = (line: StyledLine, gap: number): number => rest - (line.length === 0 ? 0 : lineWidth(line) + gap)
  const long = roomOf(full, 2) >= Math.min(width(entry.path), leastPath * 2)
  const details = long ? full : spaced(marks(false), " ")
  const gap = long ? "  " : " "
  const room = roomOf(details, gap.length)
  if (room < Math.min(width(entry.path), leastPath)) return fitLine(details, rest)
  const path = highlight(
    shortenStart(entry.path, room),
    words,
    entry.here ? "accent" : selected && !entry.row.missing ? "plain" : "faint"
  )
  return details.length === 0 ? path : [...path, span(gap), ...details]
}

const highlight = (text: string, words: ReadonlyArray<string>, style: Style): StyledLine => {
  if (words.length === 0 || text === "") return [span(text, style)]
  const folded = Rows.fold(text)
  const hit = Array.from({ length: text.length }, () => false)
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) hit.fill(true, at, at + word.length)
  }
  const spans: Array<Span> = []
  for (let from = 0; from < text.length;) {
    let to = from + 1
    while (to < text.length && hit[to] === hit[from]) to++
    spans.push(span(text.slice(from, to), hit[from] === true ? "match" : style))
    from = to
  }
  return spans
}

const footerLine = (state: PickerState): StyledLine => {
  const entry = state.matches[state.selected]
  const keys = [
    ...(entry === undefined ? [] : [`Enter ${entry.row.liveAs === null ? "resumes" : "attaches"}`]),
    isEmpty(state.query) ? "Esc cancels" : "Esc clears",
    state.onlyHere ? "Tab all directories" : "Tab this directory only",
    "↑↓ PgUp PgDn move"
  ]
  return [span(` ${hintsIn(keys, state.size.cols - 1)}`, "faint")]
}

/** The selected session's details and last exchange, in as many lines as the layout has rows. */
const previewLines = (state: PickerState, now: number): ReadonlyArray<StyledLine> => {
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

const facts = ({ badge, id, row, tag }: Rows.PickEntry): ReadonlyArray<string> => [
  tag,
  badge,
  id,
  ...(row.bytes === null ? [] : [Rows.bytesText(row.bytes)])
]

const headLines = (entry: Rows.PickEntry, cols: number, now: number): ReadonlyArray<StyledLine> => {
  const { badge, id, path, row, tag } = entry
  const seen = Rows.age(row.lastSeen, now)
  const size = row.bytes === null ? "" : Rows.bytesText(row.bytes)
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

const exchange = (preview: Rows.Preview | null, cols: number, rows: number): ReadonlyArray<StyledLine> => {
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
