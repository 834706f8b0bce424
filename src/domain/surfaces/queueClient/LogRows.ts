import { wrap } from "../tui/Cells.ts"
import { span, type Style, type StyledLine } from "../tui/Paint.ts"
import type { ClientState, LogEntry } from "./ClientState.ts"

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

export const logRows = (
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
