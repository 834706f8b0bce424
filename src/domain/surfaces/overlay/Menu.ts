import * as Actions from "../operations/actions.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import { isGivenUp } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { pauseEnd } from "../../words/session/queuePause.ts"
import { clean, wrap } from "../tui/Cells.ts"
import * as Editor from "../tui/Editor.ts"
import { bareOf, commandOf, type Key } from "../tui/Keys.ts"
import { answerOf, chosenBy, markedAfter, placeAfter, scrollOf, stepOf } from "../tui/List.ts"
import * as Capture from "./Capture.ts"
import type { OverlayContext, Turned } from "./OverlayContext.ts"
import type { Call } from "../operations/calls.ts"

const helpLines = ({ names }: OverlayContext): ReadonlyArray<string> => [
  ...(names.command === null ? [] : [`${names.command}    leap's menu; then`]),
  "  a   answer the dialog that is open, by its options or in words",
  "  m   write a message for the queue",
  "  q   the messages that wait: change, move, hold, release, send or remove them there",
  "  i   interrupt the turn",
  "  o   modes: answers by policy, messages during background work, going on after a limit, mute",
  "  z   dismiss what it needs: no list shows or tells it again",
  "  c   what it has changed in its work tree",
  "  w   why it is in its state",
  "  x   stop it; what is queued is kept",
  "  n   the next session, in this terminal",
  "  d   detach; the session goes on",
  ...(names.command === null ? [] : [`  k   ${names.command} for the CLI itself`]),
  ...(names.capture === null
    ? []
    : [
        `${names.capture}        write a message: Enter queues, Esc leaves, Ctrl+J breaks the line, !! first ` +
          `sends it at once, ${names.capture} saves it, ↑ and ↓ bring saved ones and those that were left; ` +
          "Ctrl+V a picture; ⌫ first gives the characters to the CLI"
      ]),
  `${names.detach}    detach`,
  ...(names.suspend === null ? [] : [`${names.suspend}    leave to the shell; 'fg' comes back`]),
  "All other keys are the CLI's, but for arrows where leap recalls what was sent. " +
    "'attach' in leap's settings changes all this."
]

/** The views that the command key opens. `note`: the outcome of the last action. */
export type MenuView =
  | { readonly _tag: "Menu"; readonly note: string | null }
  | {
      readonly _tag: "Answer"
      readonly note: string | null
      /** The title of the dialog that this answers; any other dialog is left alone. */
      readonly title: string
      readonly selected: number
      readonly own: Editor.Editor
    }
  /** `selected`: the id of the message that keys apply to; null for the first. */
  | { readonly _tag: "Queue"; readonly note: string | null; readonly selected: string | null }
  /** Each of these actions is done by its key; n and q go back. */
  | {
      readonly _tag: "Choose"
      readonly note: string | null
      readonly question: string
      readonly actions: ReadonlyArray<Actions.Action>
      readonly back: MenuView
    }
  /** A text to read; null until it is there. */
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

/** The unfinished messages, after those that failed. */
export const listed = ({ status }: OverlayContext): ReadonlyArray<QueuedMessage> =>
  status?.queue.filter(
    (message) => (message.status !== "done" && message.status !== "removed") || isGivenUp(message)
  ) ?? []

/** The index of the selected message, or of the first one if it is gone. */
export const selectedAt = ({ selected }: QueueView, messages: ReadonlyArray<QueuedMessage>): number =>
  Math.max(
    0,
    messages.findIndex(({ id }) => id === selected)
  )

export const actionsOf = (
  { status }: OverlayContext,
  message: QueuedMessage | undefined
): ReadonlyArray<Actions.Action> =>
  status === null || message === undefined ? [] : Actions.messageActions(status, message)

export const allActions = ({ status }: OverlayContext): ReadonlyArray<Actions.Action> =>
  status === null ? [] : Actions.queueActions({ ...status, pauseEnd: pauseEnd(status) })

/** Wraps a key and its description, with a hanging indent. */
const hangingWrap = (line: string, cols: number): ReadonlyArray<string> => {
  const key = /^ *(?:\S+ {2,})?/.exec(line)![0]
  return wrap(line.slice(key.length), Math.max(8, cols - key.length), Infinity).map(
    (row, i) => (i === 0 ? key : " ".repeat(key.length)) + row
  )
}

export const linesOf = (
  view: Extract<MenuView, { readonly _tag: "Help" | "Text" }>,
  context: OverlayContext
): ReadonlyArray<string> =>
  view._tag === "Help"
    ? helpLines(context).flatMap((line) => hangingWrap(line, context.cols - 2))
    : (view.text ?? "…").split("\n").flatMap((line) => wrap(clean(line), Math.max(8, context.cols - 2), 8))

const stay = (overlay: MenuView): Turned<MenuView | Capture.Capture> => ({ overlay, doing: [] })
const closed: Turned<never> = { overlay: null, doing: [] }

export const press = (
  view: MenuView,
  key: Key,
  context: OverlayContext,
  now: number
): Turned<MenuView | Capture.Capture> => {
  // Later keys are for the CLI, so no view may remain that would take them.
  if (key.key === "ctrl+c" || key.key === "escape") return closed
  switch (view._tag) {
    case "Menu":
      return choose(commandOf(key), context, now)
    case "Answer":
      return answer(view, key, context)
    case "Choose":
      return choosing(view, key)
    case "Queue":
      return queueKey(view, key, context)
    case "Text":
    case "Help": {
      const by = scrollOf(key)
      if (by !== null) return stay({ ...view, top: placeAfter(view.top, by, linesOf(view, context).length) })
      return bareOf(key) === "enter" || commandOf(key) === "q" ? stay(menu) : stay(view)
    }
  }
}

const choice = (question: string, actions: ReadonlyArray<Actions.Action>, back: MenuView): MenuView => ({
  _tag: "Choose",
  note: null,
  question,
  actions,
  back
})

const choosing = (
  view: Extract<MenuView, { readonly _tag: "Choose" }>,
  key: Key
): Turned<MenuView | Capture.Capture> => {
  const action = chosenBy(view.actions, key)
  if (action === null || action === "leave") return stay(action === null ? view : view.back)
  return { overlay: view.back, doing: [{ _tag: "Do", call: action.call }] }
}

const queueKey = (view: QueueView, key: Key, context: OverlayContext): Turned<MenuView | Capture.Capture> => {
  const messages = listed(context)
  const at = selectedAt(view, messages)
  const message = messages[at]
  const by = stepOf(key, 8)
  if (by !== null)
    return stay({ ...view, note: null, selected: messages[placeAfter(at, by, messages.length)]?.id ?? null })
  const letter = key.key === "delete" ? "d" : commandOf(key)
  if (letter === "q" || bareOf(key) === "enter") return stay(menu)
  const isEdit = letter === "e" && message !== undefined && Actions.waitingOf([message]).length > 0
  const action = [...actionsOf(context, message), ...allActions(context)].find((one) => one.key === letter)
  if (action === undefined && !isEdit) return stay(view)
  if (context.readOnly) return stay({ ...view, note: onlyWatches })
  if (isEdit) return { overlay: Capture.edit(message), doing: [] }
  if (action?.confirm !== undefined)
    return stay(choice(action.confirm, [{ key: "y", label: "yes", call: action.call }], view))
  return { overlay: { ...view, note: null }, doing: action === undefined ? [] : [{ _tag: "Do", call: action.call }] }
}

const asking = (title: string, call: Call): Turned<MenuView> => ({
  overlay: { _tag: "Text", note: null, title, text: null, top: 0 },
  doing: [{ _tag: "Ask", call }]
})

/** Letters of the menu for changes, which a read-only terminal may not make. */
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
        : stay({ _tag: "Answer", note: null, title: question.title, selected: 0, own: Editor.empty })
    }
    case "m":
      return { overlay: Capture.start, doing: [] }
    case "q":
      return stay(queueView)
    case "i": {
      const [action] = Actions.turnActions(status ?? { state: "" })
      return action === undefined
        ? stay({ ...menu, note: "there is no turn to interrupt" })
        : { overlay: null, doing: [{ _tag: "Do", call: action.call }] }
    }
    case "z": {
      const [action] = Actions.needActions(status === null ? [] : needsOf(status))
      return action === undefined
        ? stay({ ...menu, note: "it needs nothing of you" })
        : { overlay: menu, doing: [{ _tag: "Do", call: action.call }] }
    }
    case "o":
      return stay(choice(`Modes of ${tag}`, [...Actions.modeActions(modes), ...Actions.muteActions(modes, now)], menu))
    case "x": {
      const actions = Actions.stopActions(tag)
      return stay(choice(actions[0]?.confirm ?? "", actions, menu))
    }
    case "w":
      return asking("why", { _tag: "Why" })
    case "c":
      return asking("changes", { _tag: "Changes", against: null })
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
  key: Key,
  { status }: OverlayContext
): Turned<MenuView | Capture.Capture> => {
  const question = status?.question ?? null
  if (question === null || question.title !== view.title)
    return stay({ _tag: "Menu", note: "that question is not asked any more" })
  const { options } = question
  // The answer is for the dialog that was seen: the host refuses it if another one is open now.
  const give = (text: string): Turned<MenuView | Capture.Capture> => ({
    overlay: null,
    doing: [{ _tag: "Do", call: { _tag: "Answer", answer: text, question } }]
  })
  const { own, selected } = view
  const isEmpty = Editor.isEmpty(own)
  if (bareOf(key) === "enter") {
    if (!isEmpty) return give(own.text.trim())
    const option = options[selected]
    return option === undefined ? stay(view) : give(answerOf(option))
  }
  // A digit only selects and Enter answers, so that a slip of a finger allows nothing.
  const isArrow = Math.abs(stepOf(key, 0) ?? 0) === 1
  const marked = isEmpty || isArrow ? markedAfter(options, selected, key) : null
  if (marked !== null) return stay({ ...view, selected: marked })
  return stay({ ...view, own: Editor.pressLine(own, key) ?? own })
}
