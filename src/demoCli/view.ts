import { cellsOf, clean, clip, glyphsOf, width, wrap } from "./cells.ts"
import type { ConversationEntry, Menu, Model, DemoTurn } from "./model.ts"

export type TextStyle = "plain" | "faint" | "bold" | "inverse" | "accent" | "bad"

export interface StyledText {
  readonly text: string
  readonly style: TextStyle
}
export type StyledRow = ReadonlyArray<StyledText>

const span = (text: string, style: TextStyle = "plain"): StyledText => ({ text, style })
const spinner = ["◜", "◝", "◞", "◟"]
const spinnerPeriod = 120
const minMenuRows = 3
const minBoxRows = 2
const maxQueuedRows = 3

/** The whole screen: one element per screen row, none wider than its columns. */
export const frame = (model: Model, now: number): ReadonlyArray<StyledRow> => {
  const { cols, rows } = model.size
  const menu = model.dialog ?? model.picker
  const bottom =
    menu === null
      ? [...workRows(model, now), rule(cols), ...boxRows(model), rule(cols), footer(model)]
      : menuRows(menu, model.dialog?.kind ?? null, cols, Math.max(minMenuRows, rows - 1))
  const above = conversation(model.entries, cols, rows - bottom.length - 1)
  const filler = Array.from({ length: Math.max(0, rows - bottom.length - above.length) }, (): StyledRow => [])
  // A screen that is too small for all rows shows the last ones.
  return [...filler.slice(1), ...above, ...filler.slice(0, 1), ...bottom].slice(-rows).map((row) => fit(row, cols))
}

const fit = (row: StyledRow, cols: number): StyledRow => {
  let left = cols
  return row
    .map(({ style, text }) => {
      const visible = clip(clean(text), left)
      left -= width(visible)
      return { style, text: visible }
    })
    .filter(({ text }) => text !== "")
}

const rule = (cols: number): StyledRow => [span("─".repeat(cols), "faint")]

const glyphs: Readonly<Record<ConversationEntry["kind"], readonly [string, TextStyle, TextStyle]>> = {
  user: ["»", "accent", "bold"],
  assistant: ["●", "plain", "plain"],
  tool: ["◌", "accent", "faint"],
  interrupted: ["⊘", "bad", "plain"],
  error: ["✗", "bad", "plain"],
  note: ["·", "faint", "faint"]
}

/** The last entries that fit. Only the demo's own glyphs are in the first column; all text is indented. */
const conversation = (
  entries: ReadonlyArray<ConversationEntry>,
  cols: number,
  height: number
): ReadonlyArray<StyledRow> => {
  let rows: ReadonlyArray<StyledRow> = []
  for (let i = entries.length - 1; i >= 0 && rows.length < height; i--) {
    const entry = entries[i]
    if (entry === undefined) continue
    const [glyph, glyphStyle, style] = glyphs[entry.kind]
    const lines = entry.text
      .trim()
      .split("\n")
      .flatMap((line) => wrap(clean(line), cols - 2))
    const gap: ReadonlyArray<StyledRow> = entry.kind === "user" ? [[]] : []
    rows = [
      ...gap,
      ...lines.map((line, i): StyledRow => [i === 0 ? span(`${glyph} `, glyphStyle) : span("  "), span(line, style)]),
      ...rows
    ]
  }
  return height <= 0 ? [] : rows.slice(-height)
}

const workRows = (model: Model, now: number): ReadonlyArray<StyledRow> => [
  ...(model.turn === null ? [] : [spinnerRow(model.turn, now)]),
  ...model.queued
    .slice(0, maxQueuedRows)
    .map((prompt): StyledRow => [span(`  ↳ ${prompt.replaceAll("\n", " ")}`, "faint")])
]

const spinnerRow = (turn: DemoTurn, now: number): StyledRow => {
  const elapsed = Math.max(0, now - turn.startedAt)
  return [
    span(`${spinner[Math.floor(elapsed / spinnerPeriod) % spinner.length]} `, "accent"),
    span(`${turn.activity}… (${Math.floor(elapsed / 1000)}s)`)
  ]
}

const footer = (model: Model): StyledRow => {
  const background = model.background.length === 0 ? "" : ` · ${model.background.length} in background`
  const hint = model.turn === null ? `${model.modelName} · /help /model /exit` : "esc to interrupt"
  return [
    span(model.armedAt === null ? `  ${model.mode} mode${background} · ${hint}` : "  ctrl+c again to quit", "faint")
  ]
}

interface Cell {
  readonly char: string
  readonly caret: boolean
}

/** The rows of the input box around the caret, starting with `⋮` if the draft's first row is hidden. */
const boxRows = (model: Model): ReadonlyArray<StyledRow> => {
  const { atoms, caret } = model.draft
  const caretStyle: TextStyle = model.focused ? "inverse" : "plain"
  if (atoms.length === 0) {
    return [
      [span("» ", "accent"), span(" ", caretStyle), span(model.turn === null ? "ask anything" : "type ahead", "faint")]
    ]
  }
  const lines: Array<Array<Cell>> = [[]]
  let cells = 0
  let caretLine = 0
  // The last column is kept for a caret after the text, so that the caret never needs a row of its own.
  const put = (char: string, isCaret: boolean, room = model.size.cols - 3) => {
    if (cells + cellsOf(char) > room) {
      lines.push([])
      cells = 0
    }
    lines.at(-1)?.push({ char, caret: isCaret })
    cells += cellsOf(char)
    if (isCaret) caretLine = lines.length - 1
  }
  atoms.forEach((atom, i) => {
    const chars = atom.displayed === "\n" ? [] : glyphsOf(clean(atom.displayed))
    // A caret on a line break, or on an invisible character, is drawn as a cell of its own.
    if (i === caret && chars.length === 0) put(" ", true, model.size.cols - 2)
    chars.forEach((char, j) => put(char, i === caret && j === 0))
    if (atom.displayed === "\n") {
      lines.push([])
      cells = 0
    }
  })
  if (caret === atoms.length) put(" ", true, model.size.cols - 2)
  const height = Math.max(minBoxRows, Math.floor(model.size.rows / 3) - 1)
  const first = Math.max(0, Math.min(caretLine - height + 1, lines.length - height))
  return lines
    .slice(first, first + height)
    .map((line, i) => [
      span(i > 0 ? "  " : first > 0 ? "⋮ " : "» ", "accent"),
      ...line.map((cell) => span(cell.char, cell.caret ? caretStyle : "plain"))
    ])
}

const menuRows = (menu: Menu, kind: string | null, cols: number, height: number): ReadonlyArray<StyledRow> => {
  const head = kind === null ? `══ ${menu.title} ` : `── ${kind} `
  const top: StyledRow = [
    span(head, "accent"),
    span((kind === null ? "═" : "─").repeat(Math.max(0, cols - width(head))), "accent")
  ]
  const keys: StyledRow = [span(" Enter to choose · ↑/↓ to move · Esc to cancel", "faint")]
  const options = menu.options.map((label, i): StyledRow => {
    const selected = i === menu.selected
    const typed = menu.free && i === menu.options.length - 1 ? ` ${menu.typed}` : ""
    return [span(selected ? " » " : "   ", "accent"), span(`${i + 1}. ${label}${typed}`, selected ? "bold" : "plain")]
  })
  const room = Math.max(1, height - 3)
  const first = Math.max(0, Math.min(menu.selected - room + 1, options.length - room))
  const visible = options.slice(first, first + room)
  const title: StyledRow = [span(` ${kind === null ? menu.body : menu.title}`, "bold")]
  const detail =
    kind === null || menu.body === ""
      ? []
      : wrap(clean(menu.body), cols - 4).map((line): StyledRow => [span(`  │ ${line}`, "faint")])
  return [top, title, ...detail.slice(0, Math.max(0, room - visible.length)), ...visible, keys]
}

const codes: Readonly<Record<TextStyle, string>> = {
  plain: "",
  faint: "2",
  bold: "1",
  inverse: "7",
  accent: "36",
  bad: "31"
}

export const encodeRow = (row: StyledRow): string =>
  row.map(({ style, text }) => (style === "plain" ? text : `\x1b[${codes[style]}m${text}\x1b[0m`)).join("")

/** The bytes that turn the rows `before` into these, in one synchronized update; "" for no change. */
export const paint = (before: ReadonlyArray<string> | null, rows: ReadonlyArray<string>): string => {
  const changed = rows.flatMap((row, y) =>
    before !== null && before[y] === row ? [] : [`\x1b[${y + 1};1H\x1b[2K${row}`]
  )
  return changed.length === 0 ? "" : `\x1b[?2026h${before === null ? "\x1b[2J" : ""}${changed.join("")}\x1b[?2026l`
}
