import { editorCols, layOut } from "../tui/Editor.ts"
import { choiceRows } from "../tui/List.ts"
import { sessionGroups } from "../../words/attention/sessionGroups.ts"
import { indexOf } from "./MonitorList.ts"
import { type MonitorState, takesAll } from "./MonitorState.ts"

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
    const spare = room - state.sessions.size - sessionGroups.length
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
