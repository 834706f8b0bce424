import { asks } from "../../words/session/states.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import { clean, shorten, wrap } from "../tui/Cells.ts"
import { editorCols, shownRows } from "../tui/Editor.ts"
import { smallWindow } from "../tui/Layout.ts"
import { fitLine, type PaintFrame, span, type Span, type Style, type StyledLine } from "../tui/Paint.ts"
import { stateDetails, completionRows, dialogRows, helpRows, queueRows } from "./panels.ts"
import { type ClientState, isAsking, type LogEntry } from "./ClientState.ts"

const paragraphs = (text: string, cols: number): ReadonlyArray<string> =>
  text.split(/\r\n|\r|\n/).flatMap((line) => (line.trim() === "" ? [""] : wrap(line, cols, 10_000)))

const marksOf: Readonly<Record<LogEntry["kind"], { readonly mark: string; readonly style: Style }>> = {
  sent: { mark: "› ", style: "accent" },
  answer: { mark: "  ", style: "plain" },
  note: { mark: "· ", style: "faint" },
  bad: { mark: "! ", style: "bad" }
}
const sentMost = 4

const entryRows = ({ kind, text }: LogEntry, cols: number): ReadonlyArray<StyledLine> => {
  const { mark, style } = marksOf[kind]
  const inner = Math.max(1, cols - 2)
  const rows = kind === "sent" ? wrap(text, inner, sentMost) : paragraphs(text, inner)
  return rows.map((row, i) => [span(i === 0 ? mark : "  ", style), span(row, kind === "answer" ? "plain" : style)])
}

const withGap = (entry: LogEntry, cols: number): ReadonlyArray<StyledLine> => [
  ...entryRows(entry, cols),
  ...(entry.kind === "answer" ? [[]] : [])
]

const logRows = (
  { log, scroll }: Pick<ClientState, "log" | "scroll">,
  cols: number,
  count: number
): ReadonlyArray<StyledLine> => {
  const entries: Array<ReadonlyArray<StyledLine>> = []
  let height = 0
  for (let i = log.length - 1; i >= 0 && height < count + scroll; i--) {
    const rows = withGap(log[i]!, cols)
    entries.unshift(rows)
    height += rows.length
  }
  const rows = entries.flat()
  const from = Math.max(0, rows.length - count - scroll)
  return rows.slice(from, from + count)
}

/** The client scrolled by half a screen, at most to the log's first row. */
export const scrolled = (state: ClientState, by: 1 | -1): ClientState => {
  const { cols, rows } = state.size
  const height = state.log.reduce((sum, entry) => sum + withGap(entry, cols).length, 0)
  const page = Math.max(1, Math.floor(rows / 2))
  return { ...state, scroll: Math.max(0, Math.min(state.scroll + by * page, height - 1)) }
}

const prompt = (state: ClientState): Span =>
  state.mode._tag === "Edit" ? span("✎ ", "match") : span("› ", isAsking(state) ? "match" : "accent")

const hint = (state: ClientState): string => {
  const { mode } = state
  switch (mode._tag) {
    case "Choose":
      return mode.choices.map(({ key, label }) => `${key} ${label}`).join(" · ")
    case "List":
      return "e edit · d remove · K J move · f force · h hold · c clear · i interrupt · a approve · Tab back · ? keys"
    case "Edit":
      return `Enter saves ${mode.name} · Esc leaves it`
    case "Help":
      return "↑ ↓ scroll · any other key goes back"
    case "Compose":
      if (state.completion !== null && state.completion.items.length > 0) return "↑ ↓ choose · Tab takes it · Esc"
      if (isAsking(state)) return "Enter answers: a number or a name · !a TEXT · Tab queue · F1 keys"
      return "Enter queues · Alt+Enter line · Tab queue · ↑ history · Ctrl+V image · F1 keys · Ctrl+D leaves"
  }
}

const stateStyle = (status: SessionStatus | null, away: boolean): Style =>
  away || status === null ? "bad" : status.state === "idle" ? "live" : asks(status.state) ? "match" : "accent"

/** The session's state and since when, then why; at most `most` rows in all. */
const headRows = (state: ClientState, most: number): ReadonlyArray<StyledLine> => {
  const { link, size, status, tag } = state
  const { figures, reason, word } = stateDetails(state)
  const name = shorten(clean(tag), Math.max(6, Math.floor(size.cols / 2)))
  const head: StyledLine = [
    span(name, "plain", true),
    span(" ● ", stateStyle(status, link._tag === "Away")),
    span(word, stateStyle(status, link._tag === "Away")),
    span(figures, "faint")
  ]
  const rows = wrap(reason, size.cols, Math.max(0, most - 1))
  return [fitLine(head, size.cols), ...rows.map((row): StyledLine => [span(row, "faint")])]
}

const noticeRows = (state: ClientState, most: number): ReadonlyArray<StyledLine> => {
  const { mode, notice, size } = state
  const text = mode._tag === "Choose" ? mode.question : notice?.text
  if (text === undefined) return []
  const style: Style = mode._tag === "Choose" ? "match" : notice?.bad === true ? "bad" : "accent"
  return wrap(text, size.cols, most).map((row) => [span(row, style)])
}

export const view = (state: ClientState): PaintFrame => {
  const { cols, rows } = state.size
  const small = smallWindow(state.size, "Ctrl+D leaves")
  if (small !== null)
    return frame(
      small.map((row) => [span(row)]),
      state,
      { x: 0, y: rows - 1 }
    )
  const roomy = rows >= 10
  const hints = rows >= 6 ? wrap(hint(state), cols, roomy && cols < 100 ? 2 : 1) : []
  const footer = hints.map((row): StyledLine => [span(row, "faint")])
  const editor = shownRows(state.editor, {
    cols: editorCols(state.size),
    rows: Math.max(1, Math.floor(rows / 3)),
    sign: prompt(state)
  })
  let left = rows - footer.length - editor.lines.length
  const take = (lines: ReadonlyArray<StyledLine>): ReadonlyArray<StyledLine> => {
    const taken = lines.slice(0, Math.max(0, left))
    left -= taken.length
    return taken
  }
  const head = take(headRows(state, roomy ? 3 : 1))
  const notice = take(noticeRows(state, Math.max(1, Math.min(3, left - 1))))
  const at = { x: editor.cursor.x, y: rows - footer.length - editor.lines.length + editor.cursor.y }
  const framed = (body: ReadonlyArray<StyledLine>, foot: ReadonlyArray<StyledLine>) =>
    frame([...head, ...body, ...foot, ...editor.lines, ...footer], state, at)
  if (state.mode._tag === "Help") {
    const help = helpRows(cols)
    const top = Math.min(state.mode.top, Math.max(0, help.length - left))
    const shown = help.slice(top, top + left)
    return framed([...shown, ...blank(left - shown.length)], notice)
  }
  const completion = take(completionRows(state, Math.max(0, Math.min(7, left - 2))))
  // A dialog has precedence over lists: it waits for the user.
  const dialog = take(dialogRows(state, left < 12 ? left : left - 3))
  const queue = take(queueRows(state, Math.max(0, Math.min(left - (roomy ? 2 : 0), Math.max(3, Math.floor(rows / 3))))))
  const log = logRows(state, cols, Math.max(0, left))
  return framed([...blank(left - log.length), ...log, ...dialog, ...queue], [...notice, ...completion])
}

const blank = (count: number): ReadonlyArray<StyledLine> => Array.from({ length: Math.max(0, count) }, () => [])

const frame = (
  lines: ReadonlyArray<StyledLine>,
  { size: { cols, rows } }: ClientState,
  cursor: { readonly x: number; readonly y: number }
): PaintFrame => ({
  lines: [...lines, ...blank(rows - lines.length)].slice(0, rows).map((line) => fitLine(line, cols)),
  cursor: { x: Math.min(cursor.x, cols - 1), y: Math.max(0, Math.min(cursor.y, rows - 1)) }
})
