import {
  type Action,
  messageActions,
  modeActions,
  muteActions,
  needActions,
  queueActions,
  stopActions,
  turnActions,
  waitingOf
} from "../operations/actions.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import { isGivenUp } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { latinOf } from "../../terminal/sequences/keyLayouts.ts"
import { waitsForWord } from "../../words/wording/StateLine.ts"
import { type CaptureText, edits, empty, insert } from "./CaptureText.ts"
import * as Capture from "./Capture.ts"
import type { OverlayContext, Turned } from "./OverlayContext.ts"
import type { OverlayKey } from "./OverlayKeys.ts"

/** The views that the command key opens. `note`: what became of the last thing done. */
export type MenuView =
  | { readonly _tag: "Menu"; readonly note: string | null }
  | {
      readonly _tag: "Answer"
      readonly note: string | null
      /** The title of the dialog that it is for: another one is not answered by it. */
      readonly title: string
      readonly selected: number
      /** An answer in words, where one is written. */
      readonly own: CaptureText
    }
  /** `selected`: the id of the message that keys are for; null for the first. */
  | { readonly _tag: "Queue"; readonly note: string | null; readonly selected: string | null }
  /** One of these is done by its key, and no other key does anything. */
  | {
      readonly _tag: "Choose"
      readonly note: string | null
      readonly question: string
      readonly actions: ReadonlyArray<Action>
      readonly back: MenuView
    }
  /** Something to read; null until it is there. */
  | {
      readonly _tag: "Text"
      readonly note: string | null
      readonly title: string
      readonly text: string | null
      readonly top: number
    }
  | { readonly _tag: "Help"; readonly note: string | null; readonly top: number }

export type QueueView = Extract<MenuView, { readonly _tag: "Queue" }>

export const menu: MenuView = { _tag: "Menu", note: null }
export const queueView: QueueView = { _tag: "Queue", note: null, selected: null }

const onlyWatches = "this terminal only watches"

/** The messages that are not finished, behind those that are given up. */
export const listed = ({ status }: OverlayContext): ReadonlyArray<QueuedMessage> =>
  status?.queue.filter(
    (message) => (message.status !== "done" && message.status !== "removed") || isGivenUp(message)
  ) ?? []

/** Where the message stands in the list that keys are for; the next one where it has gone. */
export const selectedAt = ({ selected }: QueueView, messages: ReadonlyArray<QueuedMessage>): number =>
  Math.max(
    0,
    messages.findIndex(({ id }) => id === selected)
  )

/** What can be done with a message of the list. */
export const actionsOf = ({ status }: OverlayContext, message: QueuedMessage | undefined): ReadonlyArray<Action> =>
  status === null || message === undefined ? [] : messageActions(status, message)

/** What can be done with all of them. */
export const allActions = ({ status }: OverlayContext): ReadonlyArray<Action> =>
  status === null ? [] : queueActions({ ...status, waitsForWord: waitsForWord(status) })

const stay = (overlay: MenuView): Turned<MenuView | Capture.Capture> => ({ overlay, doing: [] })
const closed: Turned<never> = { overlay: null, doing: [] }

const letterOf = (key: OverlayKey): string => (key.key === "text" ? latinOf(key.text) : "")

export const press = (
  view: MenuView,
  key: OverlayKey,
  context: OverlayContext,
  now: number
): Turned<MenuView | Capture.Capture> => {
  // what is pressed behind it is for the CLI: no view may be left over that would take it
  if (key.key === "cancel" || key.key === "escape") return closed
  switch (view._tag) {
    case "Menu":
      return choose(letterOf(key), context, now)
    case "Answer":
      return answer(view, key, context)
    case "Choose":
      return choosing(view, letterOf(key))
    case "Queue":
      return queueKey(view, key, context)
    case "Text":
    case "Help": {
      if (key.key === "up" || key.key === "page-up")
        return stay({ ...view, top: Math.max(0, view.top - (key.key === "up" ? 1 : 8)) })
      if (key.key === "down" || key.key === "page-down")
        return stay({ ...view, top: view.top + (key.key === "down" ? 1 : 8) })
      return key.key === "enter" || letterOf(key) === "q" ? stay(menu) : stay(view)
    }
  }
}

const choice = (question: string, actions: ReadonlyArray<Action>, back: MenuView): MenuView => ({
  _tag: "Choose",
  note: null,
  question,
  actions,
  back
})

const choosing = (
  view: Extract<MenuView, { readonly _tag: "Choose" }>,
  letter: string
): Turned<MenuView | Capture.Capture> => {
  const action = view.actions.find(({ key }) => key === letter)
  if (action !== undefined) return { overlay: view.back, doing: [{ _tag: "Do", call: action.call }] }
  return stay(letter === "n" || letter === "q" ? view.back : view)
}

const queueKey = (view: QueueView, key: OverlayKey, context: OverlayContext): Turned<MenuView | Capture.Capture> => {
  const messages = listed(context)
  const at = selectedAt(view, messages)
  const message = messages[at]
  const step = steps[key.key]
  if (step !== undefined) {
    const to = messages[Math.max(0, Math.min(messages.length - 1, at + step))]
    return stay({ ...view, note: null, selected: to?.id ?? null })
  }
  const letter = key.key === "delete" ? "d" : letterOf(key)
  if (letter === "q" || key.key === "enter") return stay(menu)
  const isEdit = letter === "e" && message !== undefined && waitingOf([message]).length > 0
  const action = [...actionsOf(context, message), ...allActions(context)].find((one) => one.key === letter)
  if (action === undefined && !isEdit) return stay(view)
  if (context.readOnly) return stay({ ...view, note: onlyWatches })
  if (isEdit) return { overlay: Capture.edit(message), doing: [] }
  if (action?.confirm !== undefined)
    return stay(choice(action.confirm, [{ key: "y", label: "yes", call: action.call }], view))
  return { overlay: { ...view, note: null }, doing: action === undefined ? [] : [{ _tag: "Do", call: action.call }] }
}
const steps: Partial<Record<OverlayKey["key"], number>> = { up: -1, down: 1, "page-up": -8, "page-down": 8 }

/** Letters of the menu that change something, which a terminal that only watches may not. */
const changing: ReadonlySet<string> = new Set(["a", "m", "i", "o", "x", "z"])

const choose = (letter: string, context: OverlayContext, now: number): Turned<MenuView | Capture.Capture> => {
  if (context.readOnly && changing.has(letter)) return stay({ ...menu, note: onlyWatches })
  const { status, tag } = context
  const modes = status?.modes ?? null
  switch (letter) {
    case "a": {
      const question = context.status?.question ?? null
      return question === null
        ? stay({ _tag: "Menu", note: "nothing is asked that can be answered from here" })
        : stay({ _tag: "Answer", note: null, title: question.title, selected: 0, own: empty })
    }
    case "m":
      return { overlay: Capture.start, doing: [] }
    case "q":
      return stay(queueView)
    case "i": {
      const [action] = turnActions(status ?? { state: "" })
      return action === undefined
        ? stay({ ...menu, note: "there is no turn to interrupt" })
        : { overlay: null, doing: [{ _tag: "Do", call: action.call }] }
    }
    case "z": {
      const [action] = needActions(status === null ? [] : needsOf(status))
      return action === undefined
        ? stay({ ...menu, note: "it needs nothing of you" })
        : { overlay: menu, doing: [{ _tag: "Do", call: action.call }] }
    }
    case "o":
      return stay(choice(`Modes of ${tag}`, [...modeActions(modes), ...muteActions(modes, now)], menu))
    case "x": {
      const actions = stopActions(tag)
      return stay(choice(actions[0]?.confirm ?? "", actions, menu))
    }
    case "w":
      return {
        overlay: { _tag: "Text", note: null, title: "why", text: null, top: 0 },
        doing: [{ _tag: "Ask", call: { _tag: "Why" } }]
      }
    case "n":
      return { overlay: null, doing: [{ _tag: "Next" }] }
    case "d":
      return { overlay: null, doing: [{ _tag: "Detach" }] }
    case "k":
      return { overlay: null, doing: [{ _tag: "PressCommandKey" }] }
    case "?":
    case "h":
      return stay({ _tag: "Help", note: null, top: 0 })
    default:
      return stay(menu)
  }
}

const answer = (
  view: Extract<MenuView, { readonly _tag: "Answer" }>,
  key: OverlayKey,
  { status }: OverlayContext
): Turned<MenuView | Capture.Capture> => {
  const question = status?.question ?? null
  if (question === null || question.title !== view.title)
    return stay({ _tag: "Menu", note: "that question is not asked any more" })
  const { options } = question
  // for the dialog that was seen: the host refuses where another stands there now
  const give = (text: string): Turned<MenuView | Capture.Capture> => ({
    overlay: null,
    doing: [{ _tag: "Do", call: { _tag: "Answer", answer: text, question } }]
  })
  const { own, selected } = view
  const writes = own.text !== ""
  switch (key.key) {
    case "enter": {
      if (writes) return give(own.text.trim())
      const option = options[selected]
      return option === undefined ? stay(view) : give(option.number === null ? option.label : String(option.number))
    }
    case "up":
    case "down": {
      const to = selected + (key.key === "up" ? -1 : 1)
      return stay({ ...view, selected: Math.max(0, Math.min(options.length - 1, to)) })
    }
    case "text":
    case "paste": {
      // a digit selects; only Enter answers, so that no slip of a finger allows anything
      const at = writes ? -1 : options.findIndex((option) => String(option.number) === key.text)
      return stay(at >= 0 ? { ...view, selected: at } : { ...view, own: insert(own, key.text.replace(/\s+/g, " ")) })
    }
    case "backspace":
    case "delete":
    case "delete-word":
    case "clear":
    case "left":
    case "right":
    case "word-left":
    case "word-right":
    case "home":
    case "end":
      return stay({ ...view, own: edits[key.key](own) })
    default:
      return stay(view)
  }
}
