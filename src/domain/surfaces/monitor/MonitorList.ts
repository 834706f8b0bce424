import { needOf } from "../../words/attention/needsOf.ts"
import { waitingNow } from "../../words/attention/waitingNow.ts"
import { fold, tilde, wordsOf } from "../picker/Rows.ts"
import type { FeedSession } from "../../words/session/Feed.ts"
import { naturalOrder } from "../../words/text/naturalOrder.ts"
import { placeAfter, choiceRows } from "../tui/List.ts"
import { type ListRow, type MonitorState, runs, takesAll } from "./MonitorState.ts"
import { editorCols, layOut } from "../tui/Editor.ts"

export const groups = ["needs you", "working", "background work", "at rest", "ended"] as const
export type Group = (typeof groups)[number]

export const groupOf = (session: FeedSession): Group => {
  const { status } = session
  if (needOf(status) !== null) return "needs you"
  if (!runs(session)) return "ended"
  switch (status.state) {
    case "running":
    case "starting":
      return "working"
    case "churning":
      return "background work"
    default:
      return "at rest"
  }
}

const textOf = (state: MonitorState, session: FeedSession): string => {
  const { cli, cwd, displayName, state: word, tag } = session.status
  const branch = state.git.get(cwd)?.branch ?? ""
  const place = tilde(cwd, state.home)
  return fold([tag, cli, displayName, word.replace("_", " "), groupOf(session), place, branch].join("\n"))
}

const sinceOf = ({ status }: FeedSession): number => {
  const since = Date.parse(status.since)
  return Number.isNaN(since) ? 0 : since
}

const fitting = (state: MonitorState): ReadonlyArray<FeedSession> => {
  const words = wordsOf(state.query.text)
  return state.names.flatMap((tag) => {
    const session = state.sessions.get(tag)
    if (session === undefined) return []
    if (words.length === 0) return [session]
    const text = textOf(state, session)
    return words.every((word) => text.includes(word)) ? [session] : []
  })
}

const row = ({ status }: FeedSession): ListRow => ({ _tag: "Session", tag: status.tag })

const listOf = (state: MonitorState): ReadonlyArray<ListRow> => {
  const sessions = fitting(state)
  switch (state.sorting) {
    case "tag":
      return sessions.map(row)
    case "recent":
      return sessions.toSorted((a, b) => sinceOf(b) - sinceOf(a)).map(row)
    case "need": {
      const byGroup = new Map<Group, Array<FeedSession>>()
      for (const session of sessions) {
        const group = groupOf(session)
        const known = byGroup.get(group)
        if (known === undefined) byGroup.set(group, [session])
        else known.push(session)
      }
      return groups.flatMap((name): ReadonlyArray<ListRow> => {
        const members = byGroup.get(name) ?? []
        if (members.length === 0) return []
        const ordered =
          name === "needs you" ? waitingNow(members, ({ status }) => status).map(({ session }) => session) : members
        return [{ _tag: "Group", name, count: members.length }, ...ordered.map(row)]
      })
    }
  }
}

export const namesOf = (tags: Iterable<string>): ReadonlyArray<string> => [...tags].sort(naturalOrder)

export const tagsIn = (list: ReadonlyArray<ListRow>): ReadonlyArray<string> =>
  list.flatMap((row) => (row._tag === "Session" ? [row.tag] : []))

const indexOf = (list: ReadonlyArray<ListRow>, tag: string | null): number =>
  list.findIndex((row) => row._tag === "Session" && row.tag === tag)

/** The state with its list recomputed. If the selection is no longer listed, its neighbour is selected. */
export const relisted = (state: MonitorState): MonitorState => {
  const list = listOf(state)
  if (indexOf(list, state.selected) >= 0) return { ...state, list }
  const former = tagsIn(state.list)
  const at = state.selected === null ? 0 : Math.max(0, former.indexOf(state.selected))
  const now = tagsIn(list)
  const listed = new Set(now)
  const next = former.slice(at).find((tag) => listed.has(tag)) ?? now[Math.min(at, now.length - 1)] ?? null
  return { ...state, list, selected: next }
}

export const moved = (state: MonitorState, by: number): MonitorState => {
  const tags = tagsIn(state.list)
  const at = state.selected === null ? -1 : tags.indexOf(state.selected)
  return { ...state, selected: tags[placeAfter(at, by, tags.length)] ?? null }
}

/** The places of the monitor's parts. The view draws them there, and clicks are looked up in them. */
export interface MonitorLayout {
  readonly cols: number
  readonly rows: number
  readonly heads: boolean
  /** Rows of a mode that replaces list and details. */
  readonly body: number
  readonly list: { readonly y: number; readonly cols: number; readonly rows: number; readonly top: number }
  readonly details: {
    readonly place: "below" | "beside"
    readonly cols: number
    readonly rows: number
  } | null
  /** Rows of the editor, question or notice above the keys. */
  readonly panel: number
  readonly footer: number
}

const besideFrom = 160
const besideAtMost = 100
const belowFrom = 16
const detailsMost = 32
const editorMost = 6

const choiceRowsMost = 8

export const questionRows = (
  { choices, question }: Extract<MonitorState["mode"], { readonly _tag: "Choose" }>,
  cols: number
): ReadonlyArray<string> => choiceRows(question, choices, cols).slice(0, choiceRowsMost)

const panelRows = (state: MonitorState): number => {
  const { mode, size } = state
  switch (mode._tag) {
    case "Write":
      return 1 + Math.min(editorMost, layOut(mode.editor, editorCols(size)).length)
    case "Answer":
      return (mode.question.subject ? 2 : 1) + Math.min(8, Math.max(1, mode.question.options.length))
    case "Choose":
      return questionRows(mode, size.cols).length
    default:
      return state.notice === null ? 0 : 1
  }
}

export const layoutOf = (state: MonitorState): MonitorLayout => {
  const { cols, rows } = state.size
  const footer = rows >= 6 ? 1 : 0
  // A question takes room before the list does.
  const panel = Math.max(0, Math.min(panelRows(state), rows - footer - 1))
  const isEmpty = state.sessions.size === 0
  const heads = rows >= 12 && !isEmpty
  const y = heads ? 2 : 1
  const room = Math.max(0, rows - y - footer - panel)
  const details = ((): MonitorLayout["details"] => {
    if (isEmpty || !state.details || takesAll(state)) return null
    if (cols >= besideFrom && room >= 6)
      return { place: "beside", cols: Math.min(besideAtMost, Math.floor(cols * 0.42)), rows: room }
    if (rows < belowFrom || room < 9) return null
    // A short list leaves its room to the screen. The number of sessions changes seldom, so the layout stays steady.
    const spare = room - state.sessions.size - groups.length
    return { place: "below", cols, rows: Math.max(Math.floor(room * 0.5), Math.min(spare, detailsMost)) }
  })()
  const list = {
    y,
    cols: details?.place === "beside" ? cols - details.cols - 2 : cols,
    rows: details?.place === "below" ? room - details.rows : room
  }
  const body = room + (heads ? 1 : 0)
  return { cols, rows, heads, body, list: { ...list, top: topOf(state, list.rows) }, details, panel, footer }
}

const topOf = ({ list, selected, top }: MonitorState, rows: number): number => {
  const at = indexOf(list, selected)
  const most = Math.max(0, list.length - rows)
  // The first session of a group brings the group's name into sight.
  const first = at > 0 && list[at - 1]?._tag === "Group" ? at - 1 : at
  const shown = at < 0 ? top : Math.max(Math.min(top, rows >= 2 ? first : at), at - rows + 1)
  return Math.max(0, Math.min(shown, most))
}
