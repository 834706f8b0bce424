import * as Editor from "../tui/Editor.ts"
import { type ClientState, doing, noticed, only, type Outgoing, type Updated } from "./ClientState.ts"
import { entered } from "./EntryHistory.ts"

/** Sends a message. Without a session its text returns to the editor. */
export const sent = (
  state: ClientState,
  message: Outgoing,
  editor: Editor.Editor = Editor.of(message.text, message.images)
): Updated => {
  if (state.link._tag !== "Live") {
    const why = state.link._tag === "Away" ? state.link.why : "its host has not answered yet"
    return only(noticed({ ...state, editor }, `not sent, the text stays here: ${why}`, true))
  }
  const { ref } = state
  return doing(
    {
      ...state,
      ref: ref + 1,
      scroll: 0,
      outgoing: new Map(state.outgoing).set(ref, { ...message, editor }),
      history: entered(state.history, message.text)
    },
    { _tag: "Send", ref, ...message },
    { _tag: "Remember", entry: message.text }
  )
}

/** The outcome of sending a message. A refused message returns to the editor if that is empty. */
export const notSent = (
  before: ClientState,
  { inDoubt, ref, why }: { readonly ref: number; readonly why: string; readonly inDoubt: boolean }
): ClientState => {
  const message = before.outgoing.get(ref)
  const outgoing = new Map(before.outgoing)
  outgoing.delete(ref)
  const state = { ...before, outgoing }
  if (message === undefined) return state
  if (inDoubt) return noticed(state, `${why}; ↑ brings the text back`, true)
  const back = Editor.isEmpty(state.editor) && state.mode._tag === "Compose"
  return noticed(
    back ? { ...state, editor: message.editor } : state,
    `not queued: ${why}${back ? "" : "; ↑ brings the text back"}`,
    true
  )
}
