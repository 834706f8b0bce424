import { fieldsOf } from "../../reading/Fields.ts"
import { problemOf } from "../../reading/ProblemText.ts"
import type { Signal } from "../../session/Signal.ts"

/**
 * Translates a record of Codex's rollout: a failure of the turn, which no hook reports, or an interrupt by the user.
 * Every turn ends with `task_complete`, which has the error where the turn failed. Total.
 */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { payload, timestamp, type } = fieldsOf(record)
  if (type !== "event_msg") return []
  const event = fieldsOf(payload)
  if (event["type"] === "task_complete") {
    const { codex_error_info, message } = fieldsOf(event["error"])
    if (typeof message !== "string" || message === "") return []
    const text = innerMessage(message)
    return [{ _tag: "TurnFailed", problem: problemOf(codeOf(codex_error_info), text), message: text }]
  }
  if (event["type"] !== "turn_aborted" || event["reason"] !== "interrupted" || typeof timestamp !== "string") return []
  const at = Date.parse(timestamp)
  return Number.isFinite(at) ? [{ _tag: "Interrupted", at }] : []
}

/** An error is reported as its name, or as an object whose key is the name. */
const codeOf = (info: unknown): string => (typeof info === "string" ? info : Object.keys(fieldsOf(info)).join(" "))

/** Some errors are the endpoint's JSON response: returns the message within it. */
const innerMessage = (message: string): string => {
  const quoted = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(message)?.[1]
  return quoted === undefined || quoted === ""
    ? message
    : quoted.replaceAll(/\\[nrt]/g, " ").replaceAll(/\\(["\\/])/g, "$1")
}
