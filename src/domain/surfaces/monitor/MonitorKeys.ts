import * as Editor from "../tui/Editor.ts"
import { editorCols } from "../tui/Editor.ts"
import { commandOf, type Key } from "../tui/Keys.ts"
import { answerOf, chosenBy, markedAfter, placeAfter, scrollOf, stepOf } from "../tui/List.ts"
import { pressEach, redrawn } from "../tui/Screen.ts"
import * as actions from "./actions.ts"
import { helpMost } from "./MonitorView.ts"
import { moved, relisted, tagsIn } from "./MonitorList.ts"
import { layoutOf } from "./MonitorLayout.ts"
import { nextComparison } from "../../store/worktrees/moments.ts"
import { topMost } from "./ChangesRows.ts"
import {
  type ChangesMode,
  doing,
  inMode,
  listing,
  type Mode,
  type MonitorState,
  noticed,
  only,
  sortings,
  type Updated
} from "./MonitorState.ts"

/** The state after a key that moves the selection; null for any other key. `plain`: no text is being written. */
const selecting = (state: MonitorState, key: Key, plain: boolean): MonitorState | null => {
  const { list } = layoutOf(state)
  const by = stepOf(key, Math.max(1, list.rows - 2), plain)
  if (by !== null) return moved(state, by)
  if (key.key !== "click" || !("y" in key)) return null
  const row =
    key.y >= list.y && key.y < list.y + list.rows && key.x < list.cols
      ? state.list[list.top + key.y - list.y]
      : undefined
  return row?._tag === "Session" ? { ...state, selected: row.tag } : state
}

const marking = (state: MonitorState): MonitorState => {
  if (state.selected === null) return state
  const marked = new Set(state.marked)
  if (!marked.delete(state.selected)) marked.add(state.selected)
  return moved({ ...state, marked }, 1)
}

const markingAll = (state: MonitorState): MonitorState => {
  const listed = tagsIn(state.list)
  const isAll = listed.length > 0 && listed.every((tag) => state.marked.has(tag))
  return { ...state, marked: new Set(isAll ? [] : [...state.marked, ...listed]) }
}

const sorting = (state: MonitorState): MonitorState =>
  relisted({ ...state, sorting: sortings[(sortings.indexOf(state.sorting) + 1) % sortings.length] ?? "need" })

const helping = (state: MonitorState): Updated => only(inMode(state, { _tag: "Help", top: 0 }))
const leaving = (state: MonitorState): Updated => only({ ...state, left: true })

const listKeys: Readonly<Record<string, (state: MonitorState) => Updated>> = {
  enter: (state) => actions.visit(state, "attach"),
  e: (state) => actions.visit(state, "queue"),
  E: (state) => actions.visit(state, "editor"),
  h: (state) => actions.visit(state, "hand"),
  s: actions.send,
  a: actions.answer,
  i: actions.interrupt,
  t: actions.retry,
  m: actions.modes,
  u: actions.mute,
  z: actions.dismiss,
  x: actions.stop,
  f: actions.forget,
  r: actions.resume,
  R: actions.resumeCutOff,
  n: (state) => doing(state, { _tag: "Visit", what: "start" }),
  d: actions.show,
  v: (state) => actions.visit(state, "move"),
  y: actions.copy,
  c: actions.changes,
  " ": (state) => only(marking(state)),
  "*": (state) => only(markingAll(state)),
  "/": (state) => only(inMode(state, { _tag: "Filter" })),
  o: (state) => only(sorting(state)),
  p: (state) => only({ ...state, details: !state.details }),
  "?": helping,
  f1: helping,
  escape: (state) => only(relisted({ ...state, marked: new Set(), query: Editor.empty })),
  q: leaving,
  "ctrl+c": leaving,
  "ctrl+d": leaving
}

const listKey = (state: MonitorState, key: Key): Updated => {
  const selected = selecting(state, key, true)
  return selected === null ? (listKeys[commandOf(key)] ?? only)(state) : only(selected)
}

const filterKey = (state: MonitorState, key: Key): Updated => {
  const selected = selecting(state, key, false)
  if (selected !== null) return only(selected)
  switch (key.key) {
    case "enter":
      return only(listing(state))
    case "escape":
    case "ctrl+c":
      return only(relisted(listing({ ...state, query: Editor.empty })))
    default: {
      const query = Editor.pressLine(state.query, key)
      return only(query === null ? state : relisted({ ...state, query }))
    }
  }
}

const writeKey = (state: MonitorState, mode: Extract<Mode, { readonly _tag: "Write" }>, key: Key): Updated => {
  switch (key.key) {
    case "enter":
      return actions.entered(state, mode)
    case "escape":
      return only(listing(state))
    case "ctrl+c":
      return only(Editor.isEmpty(mode.editor) ? listing(state) : inMode(state, { ...mode, editor: Editor.empty }))
    default: {
      const editor = Editor.press(mode.editor, key, editorCols(state.size))
      return only(editor === null ? state : inMode(state, { ...mode, editor }))
    }
  }
}

const answerKey = (state: MonitorState, mode: Extract<Mode, { readonly _tag: "Answer" }>, key: Key): Updated => {
  const { options } = mode.question
  const marked = markedAfter(options, mode.marked, key, true)
  if (marked !== null) return only(inMode(state, { ...mode, marked }))
  switch (commandOf(key)) {
    case "enter": {
      const option = options[mode.marked]
      if (option === undefined) return only(listing(state))
      return doing(listing(state), actions.answering(mode.tag, answerOf(option), mode.question))
    }
    case "t":
      return actions.answerText(state, mode.tag, mode.question)
    case "escape":
    case "ctrl+c":
    case "q":
      return only(listing(state))
    default:
      return only(state)
  }
}

const chooseKey = (state: MonitorState, { choices }: Extract<Mode, { readonly _tag: "Choose" }>, key: Key): Updated => {
  const choice = chosenBy(choices, key)
  if (choice === null) return only(state)
  return choice === "leave" || choice.command === null ? only(listing(state)) : doing(listing(state), choice.command)
}

const helpKey = (state: MonitorState, top: number, key: Key): Updated => {
  const by = scrollOf(key)
  if (by === null) return only(key.key === "click" ? state : listing(state))
  const most = helpMost(state.size.cols, layoutOf(state).body)
  return only(inMode(state, { _tag: "Help", top: placeAfter(top, by, most + 1) }))
}

/** By how many columns each key scrolls a patch. */
const sideways: Readonly<Record<string, number>> = { left: -8, right: 8 }
/** By how many files each key moves on. */
const toFile: Readonly<Record<string, number>> = { tab: 1, n: 1, "shift+tab": -1, N: -1 }

const changesKey = (state: MonitorState, mode: ChangesMode, key: Key): Updated => {
  const changed = (change: Partial<ChangesMode>): Updated => only(inMode(state, { ...mode, ...change }))
  const by = scrollOf(key)
  if (by !== null)
    return changed({ top: placeAfter(mode.top, by, topMost(mode, state.size.cols, layoutOf(state).body) + 1) })
  const command = commandOf(key)
  const [file, side] = [toFile[command], sideways[command]]
  if (file !== undefined) return changed({ at: placeAfter(mode.at, file, mode.files.length, true), top: 0, left: 0 })
  if (side !== undefined) return changed({ left: Math.max(0, mode.left + side) })
  switch (command) {
    case "r":
      return actions.compare(state, mode.tag, mode.against)
    case "t":
      return actions.compare(state, mode.tag, nextComparison(mode.against).against)
    case "f":
      return mode.worktree ? doing(listing(state), { _tag: "Visit", what: "finish", tag: mode.tag }) : only(state)
    case "escape":
    case "ctrl+c":
    case "q":
    case "c":
      return only(listing(state))
    default:
      return only(state)
  }
}

const pressedOnce = (before: MonitorState, key: Key): Updated => {
  const state = before.notice === null ? before : { ...before, notice: null }
  if (key.key === "ctrl+l") return only(redrawn(state))
  const { mode } = state
  switch (mode._tag) {
    case "List":
      return listKey(state, key)
    case "Filter":
      return filterKey(state, key)
    case "Write":
      return writeKey(state, mode, key)
    case "Answer":
      return answerKey(state, mode, key)
    case "Choose":
      return chooseKey(state, mode, key)
    case "Help":
      return helpKey(state, mode.top, key)
    case "Changes":
      return changesKey(state, mode, key)
  }
}

/** The state after a key. Only text fields take a paste: elsewhere each of its characters would act as a key. */
export const pressed = (state: MonitorState, key: Key): Updated => {
  const writes = ({ mode }: MonitorState): boolean => mode._tag === "Write" || mode._tag === "Filter"
  if (key.key === "paste" && !writes(state))
    return only(noticed(state, "a paste means nothing here: s writes a message", true))
  return pressEach(state, key, pressedOnce, (now) =>
    writes(now) ? "writes" : now.mode._tag === "Choose" ? "asks" : "lists"
  )
}
