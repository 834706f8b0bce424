import { jsonOf } from "../../words/formats/Json.ts"
import type { AgentEvent } from "./AgentEvent.ts"
import { maskAnswer, maskPiece, maskReport } from "./Masking.ts"

type Text = Extract<AgentEvent, { readonly _tag: "Text" | "Thought" }>

/** The held-back end of a streamed text, which may begin a secret; null: none. */
export type HeldText = { readonly event: Text; readonly text: string } | null

const isSameText = (a: Text, b: Text): boolean =>
  a._tag === b._tag &&
  a.delta &&
  b.delta &&
  a.agent === b.agent &&
  (a._tag === "Thought" || b._tag === "Thought" || a.message === b.message)

const maskInput = (input: unknown, secrets: ReadonlyArray<string>): unknown => {
  const text = JSON.stringify(input) as string | undefined
  const masked = text === undefined ? undefined : maskAnswer(text, secrets)
  return masked === undefined || masked === text ? input : jsonOf(masked)
}

const maskWhole = (event: AgentEvent, secrets: ReadonlyArray<string>): AgentEvent => {
  const mask = (text: string) => maskAnswer(text, secrets)
  switch (event._tag) {
    case "Text":
    case "Thought":
    case "Answered":
      return { ...event, text: mask(event.text) }
    case "ToolStarted":
      return { ...event, preview: mask(event.preview), input: maskInput(event.input, secrets) }
    case "ToolEnded":
      return { ...event, output: mask(event.output), diff: typeof event.diff === "string" ? mask(event.diff) : null }
    case "HookRan":
      return { ...event, output: mask(event.output) }
    case "Native":
      return { ...event, line: mask(event.line) }
    default:
      return event
  }
}

/** Emits the held-back text when no later piece can complete a secret. */
export const release = (held: HeldText): ReadonlyArray<AgentEvent> =>
  held === null ? [] : [{ ...held.event, text: held.text }]

/** Masks these values ({@link secretsInAnswers}) in events, even if a secret spans several pieces. */
export const maskEvents = (
  held: HeldText,
  events: ReadonlyArray<AgentEvent>,
  secrets: ReadonlyArray<string>
): readonly [HeldText, ReadonlyArray<AgentEvent>] => {
  if (secrets.length === 0) return [held, events]
  const masked: Array<AgentEvent> = []
  let heldNow = held
  for (const event of events) {
    if ((event._tag !== "Text" && event._tag !== "Thought") || !event.delta) {
      masked.push(...release(heldNow), maskWhole(event, secrets))
      heldNow = null
      continue
    }
    if (heldNow !== null && !isSameText(heldNow.event, event)) {
      masked.push(...release(heldNow))
      heldNow = null
    }
    const [rest, text] = maskPiece(heldNow?.text ?? "", event.text, secrets)
    if (text !== "") masked.push({ ...event, text })
    heldNow = rest === "" ? null : { event, text: rest }
  }
  return [heldNow, masked]
}

/** Masks these values, and anything else that looks like a secret, in reports of failures. */
export const maskProblems = (event: AgentEvent, values: ReadonlyArray<string>): AgentEvent => {
  switch (event._tag) {
    case "Notice":
    case "ErrorOutput":
      return { ...event, text: maskReport(event.text, values) }
    case "Refused":
      return { ...event, why: maskReport(event.why, values) }
    case "Failed":
    case "Retrying":
      return { ...event, problem: { ...event.problem, message: maskReport(event.problem.message, values) } }
    default:
      return event
  }
}
