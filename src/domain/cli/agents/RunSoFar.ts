import type { AgentEvent } from "./AgentEvent.ts"

/** The longest text of an interrupted run that its document has, in UTF-16 units. */
const textLength = 1 << 20

/** What is known of a run so far. */
export interface RunSoFar {
  readonly sessionId: string | null
  /** The message that the model is writing, or its last one. */
  readonly text: string
  readonly message: string | null
}

/** Before anything has come. */
export const nothingYet: RunSoFar = { sessionId: null, text: "", message: null }

/** What is known after an event. */
export const after = (before: RunSoFar, event: AgentEvent): RunSoFar => {
  if (event._tag === "Started") return { ...before, sessionId: event.sessionId ?? before.sessionId }
  if (event._tag !== "Text" || event.agent !== null) return before
  const { message } = event
  if (before.text.length + event.text.length > textLength) return { ...before, message }
  const continues = event.delta && message === before.message
  return { ...before, message, text: continues ? before.text + event.text : event.text }
}
