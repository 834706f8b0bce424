import * as Editor from "../tui/Editor.ts"
import { commandOf, type Key } from "../tui/Keys.ts"
import { chosenBy, placeAfter, scrollOf } from "../tui/List.ts"
import { pressEach } from "../tui/Screen.ts"
import {
  type ClientEvent,
  type ClientState,
  doing,
  logged,
  type Mode,
  noticed,
  only,
  type Updated
} from "./ClientState.ts"
import { rank } from "./Completion.ts"
import { composeKey, listKey } from "./composeKeys.ts"
import { emptyHistory, withEntry } from "./EntryHistory.ts"
import { helpRows } from "./panels.ts"
import { notSent } from "./sent.ts"
import { answered, came } from "./statusChange.ts"
import { heldText, waitsForUser } from "../../words/wording/StateLine.ts"
import { pauseEnd } from "../../words/session/queuePause.ts"
import { shortId } from "../../words/session/shortId.ts"

export { start } from "./ClientState.ts"
export type { ClientCommand, ClientEvent, ClientState, Updated } from "./ClientState.ts"

const choose = (state: ClientState, mode: Extract<Mode, { readonly _tag: "Choose" }>, key: Key): Updated => {
  const choice = chosenBy(mode.choices, key)
  if (choice === null || choice === "leave") return only(choice === null ? state : { ...state, mode: mode.back })
  const outgoing = new Map(state.outgoing)
  let { ref } = state
  for (const command of choice.commands) {
    if (command._tag !== "Send") continue
    outgoing.set(command.ref, { ...command, editor: state.editor })
    ref = Math.max(ref, command.ref + 1)
  }
  const editor = choice.takesText ? { ...Editor.empty, cut: state.editor.cut } : state.editor
  return doing({ ...state, mode: mode.back, editor, outgoing, ref }, ...choice.commands)
}

const pressedOnce = (before: ClientState, key: Key): Updated => {
  const state = before.notice === null ? before : { ...before, notice: null }
  const { mode } = state
  switch (mode._tag) {
    case "Choose":
      return choose(state, mode, key)
    case "List":
      return listKey(state, key)
    case "Help": {
      const by = scrollOf(key)
      const back: ClientState = { ...state, mode: { _tag: "Compose" } }
      // A command key in the help is typed immediately: without its sign it would be a message.
      if (by === null) return commandOf(key) === "!" ? composeKey(back, key) : only(back)
      return only({ ...state, mode: { _tag: "Help", top: placeAfter(mode.top, by, helpRows(state.size.cols).length) } })
    }
    case "Compose":
    case "Edit":
      return composeKey(state, key)
  }
}

const pressed = (state: ClientState, key: Key): Updated =>
  pressEach(state, key, pressedOnce, ({ mode: { _tag } }) =>
    _tag === "Compose" || _tag === "Edit" ? "writes" : _tag === "Choose" ? "asks" : "lists"
  )

/** Closes the client's own question once its subject is gone. */
const current = (updated: Updated): Updated => {
  const { mode, askedAt } = updated.state
  return mode._tag === "Choose" && askedAt === null && mode.choices.some(({ key }) => key === "a")
    ? { ...updated, state: noticed({ ...updated.state, mode: mode.back }, "the dialog is gone: Enter queues the text") }
    : updated
}

export const update = (state: ClientState, event: ClientEvent): Updated => {
  if (state.left) return only(state)
  switch (event._tag) {
    case "Pressed":
      return pressed({ ...state, now: event.at }, event.key)
    case "Resized":
      return only({ ...state, size: event.size })
    case "TimePassed":
      return only({ ...state, now: event.at })
    case "Came":
      return current(came(state, event.status, event.at))
    case "Left": {
      const left: ClientState = { ...state, link: { ...event, _tag: "Away" }, askedAt: null }
      return current(only(state.link._tag === "Away" ? left : logged(left, { kind: "bad", text: event.why })))
    }
    case "Sent": {
      const outgoing = new Map(state.outgoing)
      const message = outgoing.get(event.ref)
      outgoing.delete(event.ref)
      const { status } = state
      const held = heldText(status?.queue ?? [])
      const isKept = status !== null && waitsForUser(status)
      const ends = status !== null && pauseEnd(status) === "retry" ? "!retry, !release" : "!release"
      return only(
        message?.front === true || message?.force === true || (held === null && !isKept)
          ? { ...state, outgoing }
          : isKept
            ? noticed({ ...state, outgoing }, `${shortId(event.id)} is held: ${status.pause?.text} (${ends})`)
            : noticed({ ...state, outgoing }, `${shortId(event.id)} goes before what is held (${held}; !release)`)
      )
    }
    case "NotSent":
      return only(notSent(state, event))
    case "Said":
      return only(event.text === "" ? state : noticed(state, event.text, event.bad))
    case "Answered":
      return only(answered(state, event))
    case "Found": {
      const { completion } = state
      if (completion === null || completion.ref !== event.ref) return only(state)
      const items = rank(event.items, completion.word)
      return only({
        ...state,
        completion: items.length === 0 ? null : { ...completion, items, selected: 0, moved: false }
      })
    }
    case "Recalled":
      return only({
        ...state,
        history: {
          ...(state.history.back === 0 ? emptyHistory : state.history),
          entries: state.history.entries.reduce(withEntry, event.entries)
        }
      })
    case "Pictured":
      return only(pictured(state, event))
  }
}

const pictured = (
  state: ClientState,
  { line, path, text, why }: Extract<ClientEvent, { readonly _tag: "Pictured" }>
): ClientState => {
  if (path !== null) return { ...state, editor: Editor.attach(state.editor, path) }
  if (text !== "") return { ...state, editor: Editor.paste(state.editor, text) }
  const isBack = line !== "" && Editor.isEmpty(state.editor) && state.mode._tag === "Compose"
  return noticed(isBack ? { ...state, editor: Editor.of(line) } : state, why, true)
}

/** Milliseconds until the display changes by itself. */
export const changesIn = ({ askedAt, now, status }: ClientState): number => {
  const age = status === null ? Infinity : now - Date.parse(status.since)
  return askedAt !== null || age < 60_000 ? 1_000 : 15_000
}
