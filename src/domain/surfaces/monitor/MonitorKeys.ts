import { commandOf } from "../tui/Chords.ts"
import * as Editor from "../tui/Editor.ts"
import { graphemes } from "../tui/EditorText.ts"
import type { PointerChord } from "../tui/PointerChords.ts"
import * as actions from "./actions.ts"
import { helpMost } from "./MonitorHelp.ts"
import { editorColumns, layoutOf } from "./MonitorLayout.ts"
import { moved, relisted, tagsIn } from "./MonitorList.ts"
import {
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

/** What each key means, by what the keys are for at the moment. */

const wheelRows = 3
const queryMost = 200

/** Keys that move the selection; null for any other. */
const selecting = (state: MonitorState, key: PointerChord): MonitorState | null => {
  const page = Math.max(1, layoutOf(state).list.rows - 2)
  const far = state.list.length
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    "page-up": -page,
    "page-down": page,
    home: -far,
    end: far,
    "wheel-up": -wheelRows,
    "wheel-down": wheelRows
  }
  const by = steps[key.chord]
  if (by !== undefined) return moved(state, by)
  if (key.chord !== "click" || !("y" in key)) return null
  const { list } = layoutOf(state)
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

const listKey = (state: MonitorState, key: PointerChord): Updated => {
  const selected = selecting(state, key)
  if (selected !== null) return only(selected)
  switch (commandOf(key)) {
    case "k":
      return only(moved(state, -1))
    case "j":
      return only(moved(state, 1))
    case "g":
      return only(moved(state, -state.list.length))
    case "G":
      return only(moved(state, state.list.length))
    case "enter":
      return actions.visit(state, "attach")
    case "e":
      return actions.visit(state, "queue")
    case "E":
      return actions.visit(state, "editor")
    case "s":
      return actions.send(state)
    case "a":
      return actions.answer(state)
    case "i":
      return actions.interrupt(state)
    case "t":
      return actions.retry(state)
    case "m":
      return actions.modes(state)
    case "u":
      return actions.mute(state)
    case "z":
      return actions.dismiss(state)
    case "x":
      return actions.stop(state)
    case "f":
      return actions.forget(state)
    case "r":
      return actions.resume(state)
    case "R":
      return actions.resumeCutOff(state)
    case "n":
      return doing(state, { _tag: "Visit", what: "start" })
    case "d":
      return actions.show(state)
    case "v":
      return actions.move(state)
    case "y":
      return actions.copy(state)
    case " ":
      return only(marking(state))
    case "*":
      return only(markingAll(state))
    case "/":
      return only(inMode(state, { _tag: "Filter" }))
    case "o": {
      const next = sortings[(sortings.indexOf(state.sorting) + 1) % sortings.length] ?? "need"
      return only(relisted({ ...state, sorting: next }))
    }
    case "p":
      return only({ ...state, details: !state.details })
    case "?":
    case "f1":
      return only(inMode(state, { _tag: "Help", top: 0 }))
    case "escape":
      return only(relisted({ ...state, marked: new Set(), query: "" }))
    case "q":
    case "ctrl+c":
    case "ctrl+d":
      return only({ ...state, left: true })
    default:
      return only(state)
  }
}

const filterKey = (state: MonitorState, key: PointerChord): Updated => {
  const selected = selecting(state, key)
  if (selected !== null) return only(selected)
  const queried = (query: string): Updated =>
    only(relisted({ ...state, query: [...query].slice(0, queryMost).join("") }))
  if ("text" in key) return queried(state.query + key.text.replaceAll(/\s+/g, " "))
  switch (key.chord) {
    case "enter":
      return only(listing(state))
    case "escape":
    case "ctrl+c":
      return only(relisted(listing({ ...state, query: "" })))
    case "backspace":
      return queried([...state.query].slice(0, -1).join(""))
    case "ctrl+u":
      return queried("")
    case "ctrl+w":
    case "alt+backspace":
      return queried(state.query.replace(/\S*\s*$/, ""))
    default:
      return only(state)
  }
}

const writeKey = (state: MonitorState, mode: Extract<Mode, { readonly _tag: "Write" }>, key: PointerChord): Updated => {
  if ("x" in key) return only(state)
  switch (key.chord) {
    case "enter":
      return actions.entered(state, mode)
    case "escape":
      return only(listing(state))
    case "ctrl+c":
      return only(Editor.isEmpty(mode.editor) ? listing(state) : inMode(state, { ...mode, editor: Editor.empty }))
    default: {
      const editor = Editor.press(mode.editor, key, editorColumns(state.size))
      return only(editor === null ? state : inMode(state, { ...mode, editor }))
    }
  }
}

const answerKey = (
  state: MonitorState,
  mode: Extract<Mode, { readonly _tag: "Answer" }>,
  key: PointerChord
): Updated => {
  const { marked, question, tag } = mode
  const { options } = question
  const mark = (to: number): Updated =>
    only(inMode(state, { ...mode, marked: Math.max(0, Math.min(options.length - 1, to)) }))
  const pressed = commandOf(key)
  switch (pressed) {
    case "up":
    case "k":
      return mark(marked - 1)
    case "down":
    case "j":
      return mark(marked + 1)
    case "enter": {
      const option = options[marked]
      if (option === undefined) return only(listing(state))
      const answer = option.number === null ? option.label : String(option.number)
      return doing(listing(state), actions.answering(tag, answer, question))
    }
    case "t":
      return actions.answerText(state, tag, question)
    case "escape":
    case "ctrl+c":
    case "q":
      return only(listing(state))
    default: {
      const at = options.findIndex(({ number }) => number !== null && String(number) === pressed)
      return at < 0 ? only(state) : mark(at)
    }
  }
}

const chooseKey = (
  state: MonitorState,
  { choices }: Extract<Mode, { readonly _tag: "Choose" }>,
  key: PointerChord
): Updated => {
  const pressed = commandOf(key)
  if (pressed === "escape" || pressed === "ctrl+c") return only(listing(state))
  const choice = choices.find((choice) => choice.key === pressed.toLowerCase())
  if (choice === undefined) return only(state)
  return choice.command === null ? only(listing(state)) : doing(listing(state), choice.command)
}

const helpKey = (state: MonitorState, top: number, key: PointerChord): Updated => {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    "wheel-up": -wheelRows,
    "page-up": -8,
    down: 1,
    j: 1,
    "wheel-down": wheelRows,
    "page-down": 8,
    " ": 8
  }
  const by = steps[commandOf(key)]
  if (by === undefined) return only(key.chord === "click" ? state : listing(state))
  const { heads, list } = layoutOf(state)
  const most = helpMost(state.size.cols, list.rows + (heads ? 1 : 0))
  return only(inMode(state, { _tag: "Help", top: Math.max(0, Math.min(most, top + by)) }))
}

const pressedOnce = (before: MonitorState, key: PointerChord): Updated => {
  const state = before.notice === null ? before : { ...before, notice: null }
  if (key.chord === "ctrl+l") return only({ ...state, redraws: state.redraws + 1 })
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
  }
}

/** A paste into the list would be many keys that nobody meant. */
const isStray = (state: MonitorState, key: PointerChord): boolean =>
  key.chord === "paste" && state.mode._tag !== "Write" && state.mode._tag !== "Filter"

/** The state after a key. Letters that come together are pressed one after the other, where each may mean something. */
export const pressed = (state: MonitorState, key: PointerChord): Updated => {
  if (isStray(state, key)) return only(noticed(state, "a paste means nothing here: s writes a message", true))
  const isText = state.mode._tag === "Write" || state.mode._tag === "Filter"
  const [first, second] = "text" in key && key.chord === "text" && !isText ? graphemes(key.text) : []
  if (!("text" in key) || first === undefined || second === undefined) return pressedOnce(state, key)
  const one = pressedOnce(state, { chord: "text", text: first.segment })
  // whoever spells out an answer has given it with its first letter
  if (one.state.left || state.mode._tag === "Choose") return one
  const rest = pressed(one.state, { chord: "text", text: key.text.slice(second.index) })
  return { state: rest.state, commands: [...one.commands, ...rest.commands] }
}
