import { isPicturePath } from "../../engine/queue/MessageText.ts"
import type { Key } from "../tui/Keys.ts"
import * as Editor from "../tui/Editor.ts"
import { editorCols } from "../tui/EditorRows.ts"
import { placeAfter, stepOf } from "../tui/List.ts"
import { redrawn } from "../tui/Screen.ts"
import { type ClientState, doing, firstOf, noticed, only, type Updated } from "./ClientState.ts"
import { type Completion, textOf, wordBefore } from "./Completion.ts"
import { gone } from "./EntryHistory.ts"
import { scrolled } from "./LogRows.ts"
import { submit } from "./submit.ts"

const completed = (state: ClientState): Updated => {
  const word = wordBefore(state.editor)
  if (word === null) return only(state.completion === null ? state : { ...state, completion: null })
  const { ref } = state
  // The former names stay on the screen until the new ones arrive.
  const items = state.completion?.kind === word.kind ? state.completion.items : []
  return doing(
    { ...state, ref: ref + 1, completion: { ...word, ref, items, selected: 0, moved: false } },
    { _tag: "Complete", kind: word.kind, word: word.word, ref }
  )
}

const chosen = (state: ClientState): Updated => {
  const { completion, editor } = state
  const name = completion?.items[completion.selected]
  if (completion === null || name === undefined) return only({ ...state, completion: null })
  const text = textOf(completion.kind, name)
  const next = { ...state, editor: Editor.replaceRange(editor, completion.from, editor.cursor, text), completion: null }
  return text.endsWith("/") ? completed(next) : only(next)
}

/** Enter takes a name only if the user looked for one; otherwise the text is sent, even if a file has that name. */
const takesName = ({ items, kind, moved, selected, word }: Completion): boolean => {
  const name = items[selected] ?? ""
  return name !== word && (moved || (kind === "command" && word !== "" && name.startsWith(word)))
}

const completionKey = (state: ClientState, key: Key): Updated | null => {
  const { completion } = state
  if (completion === null || completion.items.length === 0) return null
  const by = stepOf(key, 0)
  if (by === -1 || by === 1) {
    const selected = placeAfter(completion.selected, by, completion.items.length, true)
    return only({ ...state, completion: { ...completion, selected, moved: true } })
  }
  switch (key.key) {
    case "tab":
      return chosen(state)
    case "enter":
      return takesName(completion) ? chosen(state) : null
    case "escape":
      return only({ ...state, completion: null })
    default:
      return null
  }
}

const recalled = (state: ClientState, by: 1 | -1): Updated => {
  const found = gone(state.history, by, state.editor.text)
  if (found === null) return only(state)
  // Pieces of a draft are kept while older entries are shown.
  const blank = { ...state.editor, text: "", cursor: 0, goal: null }
  const editor =
    found.history.back === 0 ? { ...blank, text: found.text, cursor: found.text.length } : Editor.put(blank, found.text)
  return only({ ...state, history: found.history, editor, completion: null })
}

const leftEdit = (state: ClientState): ClientState =>
  state.mode._tag === "Edit"
    ? noticed({ ...state, editor: state.mode.kept, mode: { _tag: "Compose" } }, `unchanged: ${state.mode.name}`)
    : state

export const composeKey = (state: ClientState, key: Key): Updated => {
  const offered = completionKey(state, key)
  if (offered !== null) return offered
  switch (key.key) {
    case "enter":
      return submit(state)
    case "ctrl+c":
      if (!Editor.isEmpty(state.editor))
        return only({
          ...state,
          editor: Editor.replaceRange(state.editor, 0, state.editor.text.length, ""),
          completion: null,
          history: { ...state.history, back: 0 }
        })
      return only(state.mode._tag === "Edit" ? leftEdit(state) : { ...state, left: true })
    case "ctrl+d":
      if (Editor.isEmpty(state.editor)) return only({ ...leftEdit(state), left: state.mode._tag !== "Edit" })
      return edited(state, { key: "delete" })
    case "escape":
      return only(
        state.mode._tag === "Edit"
          ? leftEdit(state)
          : { ...state, completion: null, scroll: 0, history: { ...state.history, back: 0 } }
      )
    case "tab":
      return Editor.isEmpty(state.editor) && state.mode._tag === "Compose"
        ? only({ ...state, mode: { _tag: "List", selected: firstOf(state)?.id ?? null } })
        : completed(state)
    case "page-up":
      return only(scrolled(state, 1))
    case "page-down":
      return only(scrolled(state, -1))
    case "ctrl+v":
      return doing(state, { _tag: "TakeImage", line: "" })
    case "ctrl+l":
      return only(redrawn(state))
    case "f1":
      return only({ ...state, mode: { _tag: "Help", top: 0 } })
    case "ctrl+p":
      return recalled(state, 1)
    case "ctrl+n":
      return recalled(state, -1)
    case "paste":
      // Some terminals paste the path of a file that is dropped on them.
      if ("text" in key && isPicturePath(unquoted(key.text)))
        return doing(state, { _tag: "FindImage", path: unquoted(key.text), text: key.text, line: "" })
      return edited(state, key)
    default:
      return edited(state, key)
  }
}

const unquoted = (text: string): string =>
  text
    .trim()
    .replace(/^(['"])(.*)\1$/, "$2")
    .replaceAll("\\ ", " ")

const edited = (state: ClientState, key: Key): Updated => {
  const editor = Editor.press(state.editor, key, editorCols(state.size))
  if (editor === null)
    return key.key === "up" ? recalled(state, 1) : key.key === "down" ? recalled(state, -1) : only(state)
  if (editor.text === state.editor.text) return only({ ...state, editor, completion: null })
  return completed({ ...state, editor })
}
