import { fieldsOf } from "../../reading/Fields.ts"
import { problemOf } from "../../reading/ProblemText.ts"
import type { Signal } from "../../session/Signal.ts"

/** The notice that the CLI prints and records when a request has failed for good; retries are not reported. */
const apiError = /^\[API Error: ([\s\S]*?)\]?$/
const cancelled = /^Request cancelled\.$/

/**
 * Translates a record of Gemini CLI's chat file: a failed request, which hooks do not distinguish from an empty answer;
 * the assistant's text, which the hook garbles; an interrupt by the user. Notices are recorded with their text as on
 * screen. Total.
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

/** The endpoint's message within its JSON; the text itself where there is none. */
const messageOf = (text: string): string => {
  const quoted = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  const plain = quoted === undefined ? text : quoted.replaceAll(/\\(?:n|r|t)/g, " ").replaceAll(/\\(["\\/])/g, "$1")
  return plain.trim() === "" ? "a request to the model failed" : plain.trim()
}
