import { clean, shorten, width, wrap } from "../tui/Cells.ts"
import { isEmpty, editorCols, shownLine, shownRows } from "../tui/Editor.ts"
import { optionRows, entryRows, hintsIn } from "../tui/List.ts"
import { smallWindow } from "../tui/Layout.ts"
import { filled, lineWidth, padLine, type PaintFrame, span, type StyledLine } from "../tui/Paint.ts"
import { nextComparison } from "../../store/worktrees/moments.ts"
import { changesLines } from "./ChangesRows.ts"
import { detailLines } from "./DetailRows.ts"
import { emptyRows, emptyHint } from "./EmptyRows.ts"
import { groupCount, sessionGroups } from "../../words/attention/sessionGroups.ts"
import { inGroup } from "./MonitorList.ts"
import { layoutOf, type MonitorLayout, questionRows } from "./MonitorLayout.ts"
import { type ListRow, type MonitorState, named, mayRetry, runs, selectedOf } from "./MonitorState.ts"
import { columnsOf, headLine, lineOf, sessionLine } from "./SessionCells.ts"

const keys: ReadonlyArray<readonly [string, string]> = [
  ["↑ ↓ j k", "select; PgUp PgDn Home End; a click selects, the wheel scrolls"],
  ["Enter", "attach: the session's screen in this terminal, until you detach; an ended one is resumed"],
  ["s", "send a message to it"],
  ["e", "its queue client: see and change what waits"],
  ["E", "its directory in your editor: the setting 'editor', VISUAL, EDITOR, or the desktop's own"],
  ["a", "answer its dialog: an option, or a text with t"],
  ["i", "interrupt its turn"],
  ["t", "try its failed messages again, and let go what waits behind them"],
  ["m", "its modes: answers by policy, messages while background work lives, going on after a limit"],
  ["u", "mute it, for an hour or until you unmute it; or unmute it"],
  ["z", "dismiss what it needs of you: no list shows or tells it again"],
  ["x", "stop it"],
  ["n", "start a session: its CLI, name, directory and first message are asked for"],
  ["r", "resume it, where it has ended; else pick an earlier conversation"],
  ["R", "resume all that a crash or a reboot ended; what is queued stays held"],
  ["h", "hand its conversation over: it goes on in another CLI, in a session of its own"],
  ["v", "move it to another directory, and open that in your editor if you say so"],
  ["f", "forget it, where it has ended"],
  ["c", "what it has changed: Tab the next file, ↑ ↓ its patch, ← → sideways, r looks again, f finishes its worktree"],
  ["y", "copy its tag, directory, last message or answer to the clipboard"],
  ["Space", "mark it: s i t m u x r f are for all that are marked; * marks all that are listed, Esc none"],
  ["/", "filter as you type: tag, CLI, state, directory, branch; Esc shows all"],
  ["o", "order: what needs you first, by name, newest change first"],
  ["p", "show or hide the details and the screen"],
  ["?", "these keys (F1)"],
  ["Ctrl+L", "draw all again"],
  ["q", "leave (Ctrl+C); the sessions go on"]
]

const signs =
  "! permission, or trouble · ? question · ▶ running · ◎ background work · ○ idle · ◇ interrupted · … starting · " +
  "× ended · ~ its host does not answer"

const rowsOf = (cols: number): ReadonlyArray<StyledLine> => {
  const entry = (name: string, does: string) => entryRows(name, does, 10, cols)
  return [
    [span("Keys", "plain", true)],
    ...keys.flatMap(([name, does]) => entry(name, does)),
    [span("Signs", "plain", true)],
    ...wrap(signs, cols, Infinity).map((row): StyledLine => [span(row)]),
    [span("Columns", "plain", true)],
    ...entry("Q", "messages that wait, +h those that are held, +f those that are given up"),
    ...entry("CTX", "how full the context is; ! from 90 % on"),
    ...entry(
      "MODES",
      "auto: dialogs are answered by policy; send: messages go out while background work lives; " +
        "night: it goes on by itself after a limit; mute: nobody is told of it"
    ),
    ...entry("WHY", "≠ a file that other sessions were about to write, too, in the last ten minutes, and which"),
    ...entry("BRANCH", "with *n: n tracked files are changed")
  ]
}

/** The help from row `top` on, in exactly `rows` lines. */
const helpLines = (cols: number, rows: number, top: number): ReadonlyArray<StyledLine> => {
  const all = rowsOf(cols)
  const first = Math.max(0, Math.min(top, all.length - rows))
  return filled(all.slice(first), cols, rows)
}

export const helpMost = (cols: number, rows: number): number => Math.max(0, rowsOf(cols).length - rows)

const hintOf = (state: MonitorState): string => {
  const { mode } = state
  switch (mode._tag) {
    case "List": {
      if (state.sessions.size === 0) return emptyHint(state)
      const session = selectedOf(state)
      if (session !== null && !runs(session))
        return "? keys · q leave · Enter r resume · R all that a crash ended · n new · f forget · / filter · Space mark"
      const again = session !== null && mayRetry(session) ? "t try again · " : ""
      return state.marked.size > 0
        ? `${state.marked.size} marked · ? keys · Esc unmark · s send · i interrupt · t try again · m modes · ` +
            "u mute · x stop · r resume · f forget"
        : `${again}Enter attach · ? keys · q leave · n new · s send · a answer · e queue · / filter · Space mark · ` +
            "c changes · i interrupt · m modes · u mute · x stop · y copy"
    }
    case "Filter":
      return "type to filter · ↑ ↓ select · Enter keeps the filter · Esc shows all"
    case "Write":
      return mode.purpose._tag === "Send"
        ? "Enter queues it · Alt+Enter line · Esc leaves"
        : "Enter answers · Esc leaves"
    case "Answer":
      return "↑ ↓ or its number marks an option · Enter answers · t a text · Esc leaves"
    case "Choose":
      return "a key chooses · Esc leaves"
    case "Changes":
      return [
        `↑ ↓ scroll · Tab next file · t since ${nextComparison(mode.against).name}`,
        ...(mode.worktree ? ["f finish"] : []),
        "Esc back · ← → sideways · r look again · Shift+Tab file before"
      ].join(" · ")
    case "Help":
      return "↑ ↓ scroll · any other key goes back"
  }
}

/** As many hints as fit. In the list '? keys' is among the first, and leads to all keys. */
const hintLine = (state: MonitorState, cols: number): StyledLine =>
  padLine([span(hintsIn(hintOf(state).split(" · "), cols), "faint")], cols)

const headerLine = (state: MonitorState): { readonly line: StyledLine; readonly cursor: number | null } => {
  const { cols } = state.size
  const isFilter = state.mode._tag === "Filter"
  const groups = Map.groupBy(state.sessions.values(), inGroup)
  const total = state.sessions.size
  const parts = sessionGroups.flatMap((group) => {
    const count = groups.get(group)?.length ?? 0
    return count === 0 ? [] : [groupCount(group, count)]
  })
  if (state.unreached.length > 0) parts.unshift(`not reached: ${state.unreached.join(", ")}`)
  const order = state.sorting === "need" ? "" : state.sorting === "tag" ? " · by name" : " · newest first"
  if (isFilter || !isEmpty(state.query)) {
    const shown = state.list.filter(({ _tag }) => _tag === "Session").length
    const count = ` ${shown}/${total}${order}`
    const query = shownLine(state.query, Math.max(1, cols - 9 - width(count)))
    const line = [span("filter ", "accent", true), span("› ", "accent"), span(query.text, "match")]
    return {
      line: padLine([...padLine(line, Math.max(0, cols - width(count))), span(count, "faint")], cols),
      cursor: isFilter ? Math.min(cols - 1, 9 + query.x) : null
    }
  }
  const name: StyledLine = [
    span(total === 0 ? "leap" : "leap monitor", "plain", true),
    span(
      ` · ${total === 0 ? (state.fed ? "no sessions yet" : "") : total === 1 ? "1 session: " : `${total} sessions: `}`,
      "faint"
    )
  ]
  const text = shorten(parts.join(" · ") + order, Math.max(0, cols - lineWidth(name)))
  return {
    line: padLine(
      [...name, span(text, groups.has("needs you") || state.unreached.length > 0 ? "warn" : "plain")],
      cols
    ),
    cursor: null
  }
}

const groupLine = (row: Extract<ListRow, { readonly _tag: "Group" }>, cols: number): StyledLine => {
  const text = shorten(`── ${row.name} (${row.count}) `, cols)
  return padLine([span(text, row.name === "needs you" ? "warn" : "faint", row.name === "needs you")], cols)
}

const noRows = (state: MonitorState): ReadonlyArray<StyledLine> => {
  if (!state.fed) return [[span("  …", "faint")]]
  return state.sessions.size === 0
    ? emptyRows(state)
    : [[span(`  no session fits '${clean(state.query.text)}' (Esc shows all)`, "faint")]]
}

const listLines = (state: MonitorState, { list }: MonitorLayout): ReadonlyArray<StyledLine> => {
  const { cols, rows, top } = list
  if (state.list.length === 0) return filled(noRows(state), cols, rows)
  const columns = columnsOf(state, cols)
  const above = sessionsIn(state.list.slice(0, top))
  const below = sessionsIn(state.list.slice(top + rows))
  return Array.from({ length: rows }, (_, y) => {
    const row = state.list[top + y]
    const more = y === rows - 1 && below > 0 ? ` ↓ ${below} more` : y === 0 && above > 0 ? ` ↑ ${above} more` : ""
    const room = cols - width(more)
    return [...listLine(state, row, columns, room, more !== "" && y > 0), span(more, "accent")]
  })
}

const sessionsIn = (list: ReadonlyArray<ListRow>): number => list.filter(({ _tag }) => _tag === "Session").length

/** `isLast`: no row of its group is in sight below it. */
const listLine = (
  state: MonitorState,
  row: ListRow | undefined,
  columns: ReturnType<typeof columnsOf>,
  cols: number,
  isLast: boolean
): StyledLine => {
  if (row?._tag === "Group") return isLast ? padLine([], cols) : groupLine(row, cols)
  const session = row === undefined ? undefined : state.sessions.get(row.tag)
  return session === undefined ? padLine([], cols) : sessionLine(state, session, columns, cols)
}

interface Panel {
  readonly lines: ReadonlyArray<StyledLine>
  readonly cursor: { readonly x: number; readonly y: number } | null
}

const writePanel = (
  state: MonitorState,
  { editor, purpose }: Extract<MonitorState["mode"], { readonly _tag: "Write" }>,
  most: number
): Panel => {
  const { cols } = state.size
  const title =
    purpose._tag === "Send"
      ? `message to ${named(purpose.tags)}`
      : `answer to ${purpose.tag}: ${lineOf(purpose.question?.title ?? "its dialog")}`
  const shown = shownRows(editor, { cols: editorCols(state.size), rows: most - 1, sign: span("› ", "accent") })
  return {
    lines: [[span(shorten(`── ${title} `, cols), "accent", true)], ...shown.lines],
    cursor: { x: Math.min(shown.cursor.x, cols - 1), y: 1 + shown.cursor.y }
  }
}

const answerPanel = (
  { size: { cols } }: MonitorState,
  { marked, question, tag }: Extract<MonitorState["mode"], { readonly _tag: "Answer" }>,
  most: number
): Panel => ({
  lines: [
    [span(shorten(`── ${tag} asks: ${lineOf(question.title)} `, cols), "warn", true)],
    ...(question.subject ? [[span(shorten(`  ${lineOf(question.subject)}`, cols))]] : []),
    ...optionRows(question.options, marked, cols, Math.max(1, most - (question.subject ? 2 : 1)))
  ],
  cursor: null
})

const panelOf = (state: MonitorState, most: number): Panel => {
  const { mode, notice, size } = state
  if (most <= 0) return { lines: [], cursor: null }
  switch (mode._tag) {
    case "Write":
      return writePanel(state, mode, most)
    case "Answer":
      return answerPanel(state, mode, most)
    case "Choose":
      return { lines: questionRows(mode, size.cols).map((row): StyledLine => [span(row, "warn")]), cursor: null }
    default:
      return {
        lines:
          notice === null ? [] : [[span(shorten(notice.text, size.cols), notice.bad ? "bad" : "accent", notice.bad)]],
        cursor: null
      }
  }
}

/** The monitor's screen: exactly as many lines as it has rows, each exactly as wide as its columns. */
export const view = (state: MonitorState): PaintFrame => {
  const small = smallWindow(state.size, "q leaves")
  if (small !== null)
    return {
      lines: filled(
        small.map((row) => [span(row)]),
        state.size.cols,
        state.size.rows
      ),
      cursor: null
    }
  const layout = layoutOf(state)
  const { cols, rows } = layout
  const header = headerLine(state)
  const body = ((): ReadonlyArray<StyledLine> => {
    if (state.mode._tag === "Help") return helpLines(cols, layout.body, state.mode.top)
    if (state.mode._tag === "Changes") return filled(changesLines(state.mode, cols, layout.body), cols, layout.body)
    const heads = layout.heads ? [headLine(columnsOf(state, layout.list.cols), layout.list.cols)] : []
    const list = [...heads, ...listLines(state, layout)]
    const { details } = layout
    if (details === null) return list
    const extra = details.place === "beside" ? heads.length : 0
    const lines = detailLines(state, details.cols, details.rows + extra)
    return details.place === "below"
      ? [...list, ...lines]
      : list.map((line, y) => [...line, span("│ ", "faint"), ...(lines[y] ?? [])])
  })()
  const panel = panelOf(state, layout.panel)
  const panelLines = filled(panel.lines, cols, layout.panel)
  const footer = layout.footer > 0 ? [hintLine(state, cols)] : []
  const lines = [header.line, ...body, ...panelLines, ...footer]
  const panelAt = 1 + body.length
  const cursor =
    panel.cursor !== null
      ? { x: panel.cursor.x, y: Math.min(rows - 1, panelAt + panel.cursor.y) }
      : header.cursor === null
        ? null
        : { x: header.cursor, y: 0 }
  return { lines: filled(lines, cols, rows), cursor }
}
