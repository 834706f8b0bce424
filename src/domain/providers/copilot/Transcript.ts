import * as Hook from "../../cli/provider/HookVocabulary.ts"
import { firstText } from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, momentOf, nonEmptyOf as text, timeOf } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

const limitReached = (): ReadonlyArray<Signal> => [Hook.asked("question", null, "a limit is reached")]

/** What Copilot asks its user, by the beginning of the records' type. */
const asks: Readonly<Record<string, (data: Fields) => ReadonlyArray<Signal>>> = {
  permission: (data) => (data["resolvedByHook"] === true ? [] : [Hook.asked("permission", null, intention(data))]),
  user_input: ({ question }) => [Hook.asked("question", null, text(question))],
  elicitation: ({ elicitationSource: source, message }) => [
    Hook.asked(source === undefined ? "question" : "elicitation", text(source), text(message))
  ],
  exit_plan_mode: ({ summary }) => [Hook.asked("plan", null, text(summary))],
  auto_mode_switch: limitReached,
  session_limits_exhausted: limitReached
}

/** Translates a record of `events.jsonl`, Copilot's log of the session. Total: an unknown record is ignored. */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { agentId, timestamp, type, data: rawData } = fieldsOf(record)
  const data = fieldsOf(rawData)
  // Subagents' records are in the same log.
  const subagent = text(agentId) !== null || text(data["parentToolCallId"]) !== null
  const [, name = "", phase] = /^(\w+)\.(requested|completed)$/.exec(text(type) ?? "") ?? []
  const ask = Object.hasOwn(asks, name) ? asks[name] : undefined
  if (ask !== undefined) return phase === "requested" ? ask(data) : [{ _tag: "Answered" }]
  switch (type) {
    case "abort": {
      const at = timeOf(timestamp)
      return at === null || subagent ? [] : [{ _tag: "Interrupted", at }]
    }
    case "assistant.message": {
      const content = text(data["content"])
      return content === null || subagent ? [] : [{ _tag: "Responded", text: content }]
    }
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

const intention = (data: Fields): string | null =>
  firstText(fieldsOf(data["permissionRequest"]), "intention", "fullCommandText", "path", "url")

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
