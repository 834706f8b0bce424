import type { AgentEvent } from "./AgentEvent.ts"
import { maskAnswer, maskPiece } from "./Masking.ts"

type Text = Extract<AgentEvent, { readonly _tag: "Text" | "Thought" }>

/** What may be the beginning of a secret, at the end of a text that comes in pieces; null for nothing. */
export type Held = { readonly event: Text; readonly text: string } | null

/** Two pieces of one text. */
const isSame = (a: Text, b: Text): boolean =>
  a._tag === b._tag && a.delta && b.delta && a.agent === b.agent && (a._tag === "Thought" || b._tag === "Thought" || a.message === b.message)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** Arguments of a tool without these values. */
const maskInput = (input: unknown, secrets: ReadonlyArray<string>): unknown => {
  const text = JSON.stringify(input) as string | undefined
  const clean = text === undefined ? undefined : maskAnswer(text, secrets)
  return clean === undefined || clean === text ? input : parsed(clean)
}

const whole = (event: AgentEvent, secrets: ReadonlyArray<string>): AgentEvent => {
  const mask = (text: string) => maskAnswer(text, secrets)
  switch (event._tag) {
    case "Text":
    case "Thought":
    case "Answered":
      return { ...event, text: mask(event.text) }
    case "ToolStarted":
      return { ...event, preview: mask(event.preview), input: maskInput(event.input, secrets) }
    case "ToolEnded":
      return { ...event, output: mask(event.output) }
    default:
      return event
  }
}

/** What was held back, told: nothing comes that would make a secret of it. */
export const release = (held: Held): ReadonlyArray<AgentEvent> => held === null ? [] : [{ ...held.event, text: held.text }]

/** Events without these values ({@link secretsInAnswers}), wherever pieces of a text are cut. */
export const maskEvents = (held: Held, events: ReadonlyArray<AgentEvent>, secrets: ReadonlyArray<string>): readonly [Held, ReadonlyArray<AgentEvent>] => {
  if (secrets.length === 0) return [held, events]
  const told: Array<AgentEvent> = []
  let now = held
  for (const event of events) {
    if (event._tag !== "Text" && event._tag !== "Thought" || !event.delta) {
      told.push(...release(now), whole(event, secrets))
      now = null
      continue
    }
    if (now !== null && !isSame(now.event, event)) {
      told.push(...release(now))
      now = null
    }
    const [left, text] = maskPiece(now?.text ?? "", event.text, secrets)
    if (text !== "") told.push({ ...event, text })
    now = left === "" ? null : { event, text: left }
  }
  return [now, told]
}
