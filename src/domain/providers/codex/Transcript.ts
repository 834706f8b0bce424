import { type Fields, fieldsOf, momentOf, nonEmptyOf, numberOf, timeOf } from "../../words/reading/Fields.ts"
import { errorReplyIn } from "../../words/problems/ProblemCodes.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

/**
 * Translates a rollout's record: a failed turn, which no hook reports, a user's interrupt, or what the model did. A
 * turn that is not aborted ends with `task_complete`, which has the error if the turn failed. Total.
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
  if (event["type"] === "item_completed") return itemIn(fieldsOf(event["item"]), timeOf(timestamp))
  if (event["type"] !== "turn_aborted" || event["reason"] !== "interrupted") return []
  const at = timeOf(timestamp)
  return at === null ? [] : [{ _tag: "Interrupted", at }]
}

/** Items that the user or Codex itself has made. */
const notOfTheModel: ReadonlySet<unknown> = new Set(["UserMessage", "HookPrompt", "ContextCompaction"])

/** An item of the model's. If it is a command or patch that ran, its hook has the same id. */
const itemIn = ({ id, source, status, type }: Fields, at: number | null): ReadonlyArray<Signal> => {
  if (type === "CommandExecution" && !/^(?:agent|unified_exec_startup)$/.test(String(source))) return []
  return at !== null && (type === "CommandExecution" || type === "FileChange")
    ? [{ _tag: "ToolRan", tool: null, id: nonEmptyOf(id), at, ok: status === "completed" }]
    : notOfTheModel.has(type)
      ? []
      : [{ _tag: "ModelActed" }]
}

/** An error is its name, or an object whose key is the name, with the reply's status inside. */
const codesOf = (info: unknown): readonly [string, ...ReadonlyArray<string>] => {
  if (typeof info === "string") return [info]
  const [name, ...others] = Object.entries(fieldsOf(info))
  const status = numberOf(fieldsOf(name?.[1])["http_status_code"])
  return [name?.[0] ?? "", ...others.map(([key]) => key), ...(status === null ? [] : [`status ${status}`])]
}
