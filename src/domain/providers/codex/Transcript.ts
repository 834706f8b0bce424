import { type Fields, fieldsOf, momentOf, nonEmptyOf, numberOf, timeOf } from "../../words/reading/Fields.ts"
import { errorReplyIn } from "../../words/problems/ProblemCodes.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

/**
 * Translates a rollout's record: a failed turn, which no hook reports, a user's interrupt, or a tool that ran. A turn
 * that is not aborted ends with `task_complete`, which has the error if the turn failed. Total.
 */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { payload, timestamp, type } = fieldsOf(record)
  if (type !== "event_msg") return []
  const event = fieldsOf(payload)
  if (event["type"] === "task_complete") {
    const { codex_error_info, message } = fieldsOf(event["error"])
    if (typeof message !== "string" || message === "") return []
    const text = errorReplyIn(message)?.message ?? message
    const problem = problemOf(...codesOf(codex_error_info), message, text)
    return [{ _tag: "TurnFailed", problem, message: text, ends: true, ...momentOf(timestamp) }]
  }
  if (event["type"] === "item_completed") return ranIn(fieldsOf(event["item"]), timeOf(timestamp))
  if (event["type"] !== "turn_aborted" || event["reason"] !== "interrupted") return []
  const at = timeOf(timestamp)
  return at === null ? [] : [{ _tag: "Interrupted", at }]
}

/** A command or patch of the model's that ran. Its hook has the same id. */
const ranIn = ({ id, source, status, type }: Fields, at: number | null): ReadonlyArray<Signal> =>
  at === null ||
  (type === "CommandExecution" ? !/^(?:agent|unified_exec_startup)$/.test(String(source)) : type !== "FileChange")
    ? []
    : [{ _tag: "ToolRan", tool: null, id: nonEmptyOf(id), at, ok: status === "completed" }]

/** An error is its name, or an object whose key is the name, with the reply's status inside. */
const codesOf = (info: unknown): readonly [string, ...ReadonlyArray<string>] => {
  if (typeof info === "string") return [info]
  const [name, ...others] = Object.entries(fieldsOf(info))
  const status = numberOf(fieldsOf(name?.[1])["http_status_code"])
  return [name?.[0] ?? "", ...others.map(([key]) => key), ...(status === null ? [] : [`status ${status}`])]
}
