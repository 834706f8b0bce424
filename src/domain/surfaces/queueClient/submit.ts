import {
  answering,
  type ClientState,
  doing,
  isAsking,
  noticed,
  only,
  type Outgoing,
  type Updated
} from "./ClientState.ts"
import { Result } from "effect"
import { choiceOf } from "../../cli/provider/DialogChoice.ts"
import { oneLine } from "../../words/text/printable.ts"
import * as Editor from "../tui/Editor.ts"
import { entered } from "./EntryHistory.ts"
import { runBang } from "./BangCommands.ts"
import { sent } from "./sent.ts"

/** Milliseconds after a dialog opened during which Enter was meant to send a message: it must not become an answer. */
export const dialogGrace = 700

/** A text while a dialog is open: an answer if it names an option, otherwise the user is asked. */
const toDialog = (state: ClientState, emptied: ClientState, message: Outgoing): Updated => {
  const { status } = state
  const question = status?.question ?? null
  if (state.askedAt !== null && state.now - state.askedAt < dialogGrace) {
    const later = { ...state, askedAt: state.now - dialogGrace }
    return only(noticed(later, "a dialog has just come: look at it, and press Enter again", true))
  }
  const choice =
    question === null || message.images.length > 0
      ? null
      : choiceOf({ options: question.options.map((option) => ({ ...option, selected: false })) }, message.text)
  if (choice !== null && Result.isFailure(choice)) return only(noticed(state, choice.failure, true))
  if (choice !== null && choice.success._tag === "Option")
    return doing(
      { ...emptied, history: entered(emptied.history, message.text) },
      answering(message.text.trim(), question)
    )
  const queued = sent(emptied, message, state.editor)
  return only({
    ...state,
    mode: {
      _tag: "Choose",
      question: `A dialog is open, and “${oneLine(message.text, 40)}” is none of its options.`,
      choices: [
        {
          key: "a",
          label: "answer with this text",
          commands: [answering(message.text, question)],
          takesText: true
        },
        { key: "q", label: "queue it behind the dialog", commands: queued.commands, takesText: true },
        { key: "Esc", label: "back", commands: [], takesText: false }
      ],
      back: { _tag: "Compose" }
    }
  })
}

export const submit = (state: ClientState): Updated => {
  const { images, text } = Editor.contentOf(state.editor)
  const emptied: ClientState = {
    ...state,
    editor: { ...Editor.empty, cut: state.editor.cut },
    completion: null,
    history: { ...state.history, back: 0, draft: "" }
  }
  if (state.mode._tag === "Edit") {
    if (text.trim() === "") return only(noticed(state, "empty: Esc leaves it as it was, and !r takes it out", true))
    const { id, kept, was } = state.mode
    const there = state.status?.queue.find((message) => message.id === id)?.text
    if (there !== undefined && there !== was && there !== text) {
      const known = { ...state, mode: { ...state.mode, was: there } }
      return only(
        noticed(known, `it was changed meanwhile to “${oneLine(there, 50)}”: Enter puts yours in its place`, true)
      )
    }
    return doing(
      { ...emptied, editor: kept, mode: { _tag: "Compose" }, history: entered(emptied.history, text) },
      { _tag: "Do", call: { _tag: "QueueEdit", id, text } },
      { _tag: "Remember", entry: text }
    )
  }
  if (text.trim() === "" && images.length === 0)
    return only(isAsking(state) ? noticed(state, "enter the number or the name of an option") : state)
  const ran = images.length > 0 ? null : runBang(state, emptied, text)
  if (ran !== null) return ran
  // The blank before a `!` at the start of a message is removed.
  const message = { text: text.replace(/^ +!/, "!"), images, front: false, force: false }
  if (state.link._tag !== "Live") return sent(state, message, state.editor)
  return isAsking(state) ? toDialog(state, emptied, message) : sent(emptied, message, state.editor)
}
