import { isGivenUp } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { commandOf, type Key } from "../tui/Keys.ts"
import { placeAfter, stepOf } from "../tui/List.ts"
import { redrawn } from "../tui/Screen.ts"
import * as changes from "./changes.ts"
import { type ClientState, doing, noticed, only, type Updated, unfinished, waiting } from "./ClientState.ts"
import { scrolled } from "./LogRows.ts"
import { listing } from "./BangCommands.ts"

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
