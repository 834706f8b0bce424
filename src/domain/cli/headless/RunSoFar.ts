import type { AgentEvent } from "./AgentEvent.ts"

/** The longest text in the document of an interrupted run, in UTF-16 units. */
const textLength = 1 << 20

export interface RunSoFar {
  readonly sessionId: string | null
  /** The current message of the model, or its last: its text, and its id (`message`). */
  readonly text: string
  readonly message: string | null
}

export const nothingYet: RunSoFar = { sessionId: null, text: "", message: null }

export const after = (before: RunSoFar, event: AgentEvent): RunSoFar => {
  if (event._tag === "Started") return { ...before, sessionId: event.sessionId ?? before.sessionId }
  if (event._tag !== "Text" || event.agent !== null) return before
  const { message } = event
  const goesOn = event.delta && message === before.message
  // to cut what is full again would copy all of it, with each piece of a long answer
  if (goesOn && before.text.length >= textLength) return before
  const text = goesOn ? before.text + event.text : event.text
  return { ...before, message, text: text.length > textLength ? text.slice(0, textLength) : text }
}
