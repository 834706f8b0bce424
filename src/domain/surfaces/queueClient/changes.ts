import { needsOf } from "../../words/attention/needsOf.ts"
import { needActions } from "../operations/actions.ts"
import type { Call } from "../operations/calls.ts"
import { nameOf } from "../../engine/queue/MessageName.ts"
import { isFailed, isGivenUp } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { isHeldByGuard } from "../../words/session/queuePause.ts"
import * as Editor from "../tui/Editor.ts"
import {
  type ClientCommand,
  type ClientState,
  doing,
  failed,
  type Mode,
  noticed,
  only,
  type Updated,
  unfinished,
  waiting
} from "./ClientState.ts"

const done = (call: Call): ClientCommand => ({ _tag: "Do", call })

export const remove = (state: ClientState, message: QueuedMessage): Updated =>
  doing(state, done({ _tag: "QueueRemove", id: message.id }), {
    // An arrow recalls it if it was removed by mistake.
    _tag: "Remember",
    entry: message.text
  })

export const force = (state: ClientState, message: QueuedMessage | undefined): Updated =>
  message === undefined
    ? only(noticed(state, "nothing waits in the queue", true))
    : doing(state, done({ _tag: "QueueForce", id: message.id }))

/** Null: all waiting messages. */
export const hold = (state: ClientState, message: QueuedMessage | null): Updated =>
  message === null && waiting(state).length === 0
    ? only(noticed(state, "nothing waits in the queue"))
    : doing(state, done({ _tag: "QueueHold", id: message?.id ?? null }))

/** Null: all held messages. */
export const release = (state: ClientState, message: QueuedMessage | null): Updated =>
  doing(state, done({ _tag: "QueueRelease", id: message?.id ?? null }))

const isPausedByFailure = ({ status }: ClientState): boolean => status?.pause != null && !isHeldByGuard(status.pause)

/** Retries a message whose turn failed, or with null all of them, and sends the messages behind them. */
export const retry = (state: ClientState, message: QueuedMessage | null): Updated =>
  (message === null ? failed(state).length > 0 || isPausedByFailure(state) : isFailed(message))
    ? doing(state, done({ _tag: "QueueRetry", id: message?.id ?? null }))
    : only(noticed(state, message === null ? "no message has failed" : `${nameOf(message)} has not failed`, true))

export const dismiss = (state: ClientState): Updated => {
  const [action] = needActions(state.status === null ? [] : needsOf(state.status))
  return action === undefined ? only(noticed(state, "it needs nothing of you")) : doing(state, done(action.call))
}

/** The client with the message already at that place, so that the next key starts from there. */
const asMoved = (state: ClientState, message: QueuedMessage, place: number): ClientState => {
  if (state.status === null) return state
  const others = waiting(state).filter((other) => other !== message)
  const order = others.toSpliced(place - 1, 0, message)
  const rest = state.status.queue.filter((other) => !order.includes(other))
  return { ...state, status: { ...state.status, queue: [...rest, ...order] } }
}

/** Moves a message to a place among the waiting ones, counted from 1. */
export const move = (state: ClientState, message: QueuedMessage, position: number): Updated => {
  const place = Math.min(Math.max(1, position), waiting(state).length)
  return doing(asMoved(state, message, place), done({ _tag: "QueueMove", id: message.id, position: place }))
}

export const edit = (state: ClientState, message: QueuedMessage): Updated => {
  const kept = state.mode._tag === "Edit" ? state.mode.kept : state.editor
  const mode: Mode = { _tag: "Edit", id: message.id, name: nameOf(message), was: message.text, kept }
  return only({ ...state, mode, editor: Editor.of(message.text), completion: null })
}

export const clear = (state: ClientState): Updated => {
  const count = waiting(state).length + unfinished(state).filter(isGivenUp).length
  if (count === 0) return only(noticed(state, "nothing waits in the queue"))
  const which = count === 1 ? "the message that waits" : `all ${count} messages that wait`
  const lost = failed(state).length === 0 ? "" : " or failed"
  const back = state.mode._tag === "Choose" || state.mode._tag === "Edit" ? { _tag: "Compose" as const } : state.mode
  return only({
    ...state,
    mode: {
      _tag: "Choose",
      question: `Take ${which}${lost} out of the queue?`,
      choices: [
        { key: "y", label: "yes", commands: [done({ _tag: "QueueClear" })], takesText: false },
        { key: "n", label: "no", commands: [], takesText: false }
      ],
      back
    }
  })
}
