import { isPicturePath } from "../../engine/queue/MessageText.ts"
import { type Key, commandOf } from "../tui/Keys.ts"
import * as Editor from "../tui/Editor.ts"
import { editorCols } from "../tui/Editor.ts"
import { placeAfter, stepOf } from "../tui/List.ts"
import { redrawn } from "../tui/Screen.ts"
import { type ClientState, doing, firstOf, noticed, only, type Updated, unfinished, waiting } from "./ClientState.ts"
import { type Completion, textOf, wordBefore } from "./Completion.ts"
import { gone } from "./EntryHistory.ts"
import { scrolled } from "./QueueClientView.ts"
import { submit } from "./submit.ts"
import { isGivenUp } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import * as changes from "./changes.ts"
import { listing } from "./BangCommands.ts"

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

type Does = (state: ClientState, message: QueuedMessage | undefined) => Updated

const changing =
  (use: (state: ClientState, message: QueuedMessage) => Updated): Does =>
  (state, message) => {
    if (message === undefined) return only(noticed(state, "nothing waits in the queue"))
    if (waiting(state).includes(message)) return use(state, message)
    const why = isGivenUp(message)
      ? "it has failed: t sends it again"
      : "it is on its way and cannot be changed any more"
    return only(noticed(state, why, true))
  }

const moving = (by: -1 | 1): Does =>
  changing((state, message) => changes.move(state, message, waiting(state).indexOf(message) + 1 + by))
const [earlier, later, editing] = [moving(-1), moving(1), changing(changes.edit)]
const removing: Does = (state, message) =>
  message !== undefined && isGivenUp(message)
    ? changes.remove(state, message)
    : changing(changes.remove)(state, message)
const helping: Does = (state) => only({ ...state, mode: { _tag: "Help", top: 0 } })
const leaving: Does = (state) => only({ ...state, left: true })
const writing: Does = (state) => only({ ...state, mode: { _tag: "Compose" } })

const listKeys: Readonly<Record<string, Does>> = {
  K: earlier,
  "alt+up": earlier,
  "shift+up": earlier,
  J: later,
  "alt+down": later,
  "shift+down": later,
  enter: editing,
  e: editing,
  d: removing,
  x: removing,
  delete: removing,
  backspace: removing,
  t: (state, message) =>
    message === undefined ? only(noticed(state, "no message has failed")) : changes.retry(state, message),
  T: (state) => changes.retry(state, null),
  f: changing(changes.force),
  h: changing((state, message) => (message.status === "held" ? changes.release : changes.hold)(state, message)),
  H: (state) => (waiting(state).some(({ status }) => status === "held") ? changes.release : changes.hold)(state, null),
  c: changes.clear,
  i: (state) => doing(state, { _tag: "Do", call: { _tag: "Interrupt" } }),
  z: changes.dismiss,
  l: (state) => only(listing(state)),
  a: (state) => {
    const autoSend = state.status?.modes.autoSend === "always" ? "pause" : "always"
    return doing(state, { _tag: "Do", call: { _tag: "SetModes", modes: { autoSend } } })
  },
  "page-up": (state) => only(scrolled(state, 1)),
  "page-down": (state) => only(scrolled(state, -1)),
  "ctrl+l": (state) => only(redrawn(state)),
  "?": helping,
  f1: helping,
  q: leaving,
  "ctrl+c": leaving,
  "ctrl+d": leaving,
  tab: writing,
  escape: writing
}

/** The keys of the list of messages. They are plain letters, because nothing is written there. */
export const listKey = (state: ClientState, key: Key): Updated => {
  if (state.mode._tag !== "List") return only(state)
  const { selected } = state.mode
  const listed = unfinished(state)
  const index = listed.findIndex(({ id }) => id === selected)
  const does = listKeys[commandOf(key)]
  if (does !== undefined) return does(state, listed[index])
  const by = stepOf(key, 0, true)
  if (by === null) return only(noticed(state, "Tab goes back to writing; ? lists the keys"))
  const next = listed[placeAfter(index, by, listed.length)]
  return only({ ...state, mode: { _tag: "List", selected: next?.id ?? null } })
}
