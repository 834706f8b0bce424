import { problemOf } from "../ProblemText.ts"
import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

/**
 * What a record of Codex's rollout says of the turn: that it failed, of which no hook tells, and that the user stopped it.
 * Every turn ends with `task_complete`, a failed one with the error in it. Total.
 */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { payload, timestamp, type } = fieldsOf(record)
  if (type !== "event_msg") return []
  const event = fieldsOf(payload)
  if (event["type"] === "task_complete") {
    const { codex_error_info, message } = fieldsOf(event["error"])
    if (typeof message !== "string" || message === "") return []
    const said = plain(message)
    return [{ _tag: "TurnFailed", problem: problemOf(codeOf(codex_error_info), said), message: said }]
  }
  if (event["type"] !== "turn_aborted" || event["reason"] !== "interrupted" || typeof timestamp !== "string") return []
  const at = Date.parse(timestamp)
  return Number.isFinite(at) ? [{ _tag: "Interrupted", at }] : []
}

/** An error's name stands alone, or is the key of what it carries. */
const codeOf = (info: unknown): string => typeof info === "string" ? info : Object.keys(fieldsOf(info)).join(" ")

/** Some errors are the endpoint's answer as it came: its own words are within. */
const plain = (message: string): string => {
  const quoted = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(message)?.[1]
  return quoted === undefined || quoted === "" ? message : quoted.replaceAll(/\\[nrt]/g, " ").replaceAll(/\\(["\\/])/g, "$1")
}
