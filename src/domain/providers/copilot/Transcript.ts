import { type Fields, fieldsOf, momentOf, nonEmptyOf as text, timeOf } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

/** Translates a record of `events.jsonl`, Copilot's log of the session. Total: an unknown record is ignored. */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { agentId, timestamp, type, data: rawData } = fieldsOf(record)
  const data = fieldsOf(rawData)
  // Subagents' records are in the same log.
  const subagent = text(agentId) !== null || text(data["parentToolCallId"]) !== null
  switch (type) {
    case "abort": {
      const at = timeOf(timestamp)
      return at === null || subagent ? [] : [{ _tag: "Interrupted", at }]
    }
    case "assistant.message": {
      const content = text(data["content"])
      return content === null || subagent ? [] : [{ _tag: "Responded", text: content }]
    }
    case "permission.requested":
      return data["resolvedByHook"] === true
        ? []
        : [{ _tag: "Asked", kind: "permission", tool: null, message: intention(data) }]
    case "user_input.requested":
      return [{ _tag: "Asked", kind: "question", tool: null, message: text(data["question"]) }]
    case "elicitation.requested":
      return [
        {
          _tag: "Asked",
          kind: data["elicitationSource"] === undefined ? "question" : "elicitation",
          tool: text(data["elicitationSource"]),
          message: text(data["message"])
        }
      ]
    case "exit_plan_mode.requested":
      return [{ _tag: "Asked", kind: "plan", tool: null, message: text(data["summary"]) }]
    case "auto_mode_switch.requested":
    case "session_limits_exhausted.requested":
      return [{ _tag: "Asked", kind: "question", tool: null, message: "a limit is reached" }]
    case "permission.completed":
    case "user_input.completed":
    case "elicitation.completed":
    case "exit_plan_mode.completed":
    case "auto_mode_switch.completed":
    case "session_limits_exhausted.completed":
      return [{ _tag: "Answered" }]
    case "tool.execution_start": {
      const [tool, at] = [text(data["toolName"]), timeOf(timestamp)]
      return at === null || subagent || tool === null ? [] : [{ _tag: "ToolRan", tool, id: null, at, ok: true }]
    }
    case "session.compaction_start":
      return [{ _tag: "CompactStarted" }]
    case "session.compaction_complete":
      return [{ _tag: "CompactEnded" }]
    case "session.error":
      return subagent ? [] : [failed(data, timestamp)]
    default:
      return []
  }
}

const intention = (data: Fields): string | null => {
  const request = fieldsOf(data["permissionRequest"])
  return text(request["intention"]) ?? text(request["fullCommandText"]) ?? text(request["path"]) ?? text(request["url"])
}

const failed = (data: Fields, timestamp: unknown): Signal => {
  const message = text(data["message"]) ?? "the turn failed"
  const { errorCode, errorType, statusCode } = data
  const [first = "", ...rest] = [
    errorType,
    errorCode,
    typeof statusCode === "number" ? `status ${statusCode}` : null
  ].flatMap((value) => text(value) ?? [])
  return { _tag: "TurnFailed", problem: problemOf(first, ...rest, message), message, ...momentOf(timestamp) }
}
