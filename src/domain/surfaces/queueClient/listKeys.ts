import { isGivenUp } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { commandOf, type Key } from "../tui/Keys.ts"
import { placeAfter, stepOf } from "../tui/List.ts"
import { redrawn } from "../tui/Screen.ts"
import * as changes from "./changes.ts"
import { type ClientState, doing, noticed, only, type Updated, unfinished, waiting } from "./ClientState.ts"
import { scrolled } from "./LogRows.ts"
import { listing } from "./runBang.ts"

/** The keys of the list of messages: plain letters, since nothing is written there. */
export const listKey = (state: ClientState, key: Key): Updated => {
  if (state.mode._tag !== "List") return only(state)
  const { selected } = state.mode
  const listed = unfinished(state)
  const index = listed.findIndex(({ id }) => id === selected)
  const message = listed[index]
  /** Does something to the selected message, if it can still be changed. */
  const withMessage = (use: (message: QueuedMessage) => Updated): Updated =>
    message === undefined
      ? only(noticed(state, "nothing waits in the queue"))
      : waiting(state).includes(message)
        ? use(message)
        : only(
            noticed(
              state,
              isGivenUp(message)
                ? "it has failed: t sends it again"
                : "it is on its way and cannot be changed any more",
              true
            )
          )
  const move = (by: -1 | 1): Updated =>
    withMessage((message) => changes.move(state, message, waiting(state).indexOf(message) + 1 + by))
  switch (commandOf(key)) {
    case "K":
    case "alt+up":
    case "shift+up":
      return move(-1)
    case "J":
    case "alt+down":
    case "shift+down":
      return move(1)
    case "enter":
    case "e":
      return withMessage((message) => changes.edit(state, message))
    case "d":
    case "x":
    case "delete":
    case "backspace":
      return message !== undefined && isGivenUp(message)
        ? changes.remove(state, message)
        : withMessage((message) => changes.remove(state, message))
    case "t":
      return message === undefined ? only(noticed(state, "no message has failed")) : changes.retry(state, message)
    case "T":
      return changes.retry(state, null)
    case "f":
      return withMessage((message) => changes.force(state, message))
    case "h":
      return withMessage((message) =>
        message.status === "held" ? changes.release(state, message) : changes.hold(state, message)
      )
    case "H":
      return waiting(state).some(({ status }) => status === "held")
        ? changes.release(state, null)
        : changes.hold(state, null)
    case "c":
      return changes.clear(state)
    case "i":
      return doing(state, { _tag: "Do", call: { _tag: "Interrupt" } })
    case "z":
      return changes.dismiss(state)
    case "l":
      return only(listing(state))
    case "a":
      return doing(state, {
        _tag: "Do",
        call: {
          _tag: "SetModes",
          modes: { autoSend: state.status?.modes.autoSend === "always" ? "pause" : "always" }
        }
      })
    case "page-up":
      return only(scrolled(state, 1))
    case "page-down":
      return only(scrolled(state, -1))
    case "ctrl+l":
      return only(redrawn(state))
    case "?":
    case "f1":
      return only({ ...state, mode: { _tag: "Help", top: 0 } })
    case "q":
    case "ctrl+c":
    case "ctrl+d":
      return only({ ...state, left: true })
    case "tab":
    case "escape":
      return only({ ...state, mode: { _tag: "Compose" } })
    default: {
      const by = stepOf(key, 0, true)
      if (by !== null) {
        const selected = listed[placeAfter(index, by, listed.length)]?.id ?? null
        return only({ ...state, mode: { _tag: "List", selected } })
      }
      return only(noticed(state, "Tab goes back to writing; ? lists the keys"))
    }
  }
}
