import type { AgentEvent } from "./AgentEvent.ts"
import { maxAnswerLength } from "./decoderState.ts"

export interface AnswerText {
  /** The current or last message: its id, and its text so far. */
  readonly message: string | null
  readonly text: string
  /** The next text begins a message, whatever its id is. */
  readonly isFresh: boolean
  /** The last line has no newline yet. */
  readonly isOpen: boolean
  readonly hasPrinted: boolean
}

export const noText: AnswerText = { message: null, text: "", isFresh: true, isOpen: false, hasPrinted: false }

type Step = readonly [AnswerText, string]

/** The text to print for an event: pieces of a message unchanged, a blank line between two messages. */
export const print = (state: AnswerText, event: AgentEvent): Step => {
  if (event._tag === "ToolStarted" || event._tag === "ToolEnded" || event._tag === "Answered")
    return ["agent" in event && event.agent !== null ? state : { ...state, isFresh: true }, ""]
  if (event._tag !== "Text" || event.agent !== null || event.text === "") return [state, ""]
  const goesOn = !state.isFresh && event.message === state.message && (event.delta || event.message !== null)
  // Each complete text (not a delta) of one message is printed as a paragraph.
  const between = goesOn ? (event.delta ? "" : "\n\n") : state.hasPrinted ? (state.isOpen ? "\n\n" : "\n") : ""
  const text = goesOn ? state.text + between + event.text : event.text
  return [
    { message: event.message, text, isFresh: false, isOpen: !event.text.endsWith("\n"), hasPrinted: true },
    between + event.text
  ]
}

export const closeLine = (state: AnswerText): Step => [{ ...state, isOpen: false }, state.isOpen ? "\n" : ""]

const isKeptOf = (answer: string, text: string): boolean => answer.length >= maxAnswerLength && text.startsWith(answer)

export const finish = (state: AnswerText, answer: string): string => {
  const [, end] = closeLine(state)
  // Of a text that was printed completely, the result may contain only the beginning; it is not printed again.
  if (answer === "" || answer === state.text || isKeptOf(answer, state.text)) return end
  return `${end}${state.hasPrinted ? "\n" : ""}${answer}\n`
}
