import { problemOf } from "../ProblemText.ts"
import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

/** What the CLI prints, and writes down, when a request failed for good; retries are silent. */
const apiError = /^\[API Error: ([\s\S]*?)\]?$/
const cancelled = /^Request cancelled\.$/

/**
 * What a record of Gemini CLI's chat file says of the turn: that a request failed, which no hook tells apart from an empty
 * answer, what the assistant said, which the hook garbles, and that the user stopped it. Records of notices carry their
 * text as it stands on the screen. Total.
 */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { content, timestamp, type } = fieldsOf(record)
  if (typeof content !== "string") return []
  if (type === "error") {
    const match = apiError.exec(content.trim())
    if (match === null) return []
    const message = messageOf(match[1] ?? content)
    return [{ _tag: "TurnFailed", problem: problemOf(match[1] ?? "", message), message }]
  }
  if (type === "gemini") return content.trim() === "" ? [] : [{ _tag: "Responded", text: content }]
  if (type !== "info" || typeof timestamp !== "string" || !cancelled.test(content.trim())) return []
  const at = Date.parse(timestamp)
  return Number.isFinite(at) ? [{ _tag: "Interrupted", at }] : []
}

/** The endpoint's own words within its JSON; the text as it is where there is none. */
const messageOf = (text: string): string => {
  const quoted = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  const plain = quoted === undefined ? text : quoted.replaceAll(/\\(?:n|r|t)/g, " ").replaceAll(/\\(["\\/])/g, "$1")
  return plain.trim() === "" ? "a request to the model failed" : plain.trim()
}
