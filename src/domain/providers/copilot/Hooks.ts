import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/reading/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/**
 * Translates one of Copilot's lifecycle hooks, or the payload of its status line. Total: an unknown event is ignored.
 */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  // A subagent has its own session id, and names its parent's.
  const agent = text(fields["parentAgentId"]) === null ? null : text(fields["agentId"])
  switch (event) {
    case "StatusLine":
      return statusLineSignals(fields)
    case "sessionStart":
      // It comes with the first prompt, and may come after that prompt's own hook, so it must not begin a new state.
      return agent === null ? sessionSignals(fields) : ignored("a subagent's session")
    case "sessionEnd":
      return agent === null
        ? [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
        : ignored("a subagent's session")
    case "userPromptSubmitted": {
      if (agent !== null) return ignored("a subagent's prompt")
      const prompt = text(fields["prompt"])
      return [
        ...sessionSignals(fields),
        { _tag: "TurnStarted", prompt, own: prompt?.startsWith("<system_notification>") === true }
      ]
    }
    case "preToolUse":
      return [
        { _tag: "ToolStarted", tool: text(fields["toolName"]) ?? "a tool", id: null, agent },
        ...questionSignals(fields)
      ]
    case "postToolUse":
    case "postToolUseFailure":
      return [{ _tag: "ToolEnded", tool: text(fields["toolName"]) ?? "a tool", id: null, agent }]
    case "permissionRequest":
      return [permissionSignal(fields)]
    case "notification":
      return notificationSignals(fields)
    case "agentStop":
      return agent === null
        ? [...sessionSignals(fields), { _tag: "TurnEnded", response: null, background: null }]
        : ignored("a subagent's turn")
    case "errorOccurred":
      return agent === null ? failureSignals(fields) : ignored("a subagent's failure")
    case "preCompact":
      return agent === null ? [{ _tag: "CompactStarted" }] : ignored("a subagent's compaction")
    default:
      return ignored(`hook ${event} says nothing of the state`)
  }
}

const sessionSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId = text(fields["sessionId"])
  const transcriptPath = text(fields["transcriptPath"])
  return sessionId === null && transcriptPath === null
    ? []
    : [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "turn", ...placeOf(fields["cwd"]) }]
}

/** The earliest source of the session's id. Its path is the session's directory, which contains the transcript. */
const statusLineSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId = text(fields["session_id"])
  const directory = text(fields["transcript_path"])
  if (sessionId === null && directory === null) return ignored("a status line without a session")
  const transcriptPath =
    directory === null || directory.endsWith(".jsonl") ? directory : `${directory.replace(/[/\\]+$/, "")}/events.jsonl`
  return [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "status line", ...placeOf(fields["cwd"]) }]
}

const questionSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const tool = text(fields["toolName"])
  if (tool === "ask_user") {
    const args = fieldsOf(fields["toolArgs"])
    return [{ _tag: "Asked", kind: "question", tool, message: text(args["message"]) ?? text(args["question"]) }]
  }
  return tool === "exit_plan_mode" ? [{ _tag: "Asked", kind: "plan", tool, message: "approve the plan" }] : []
}

const permissionSignal = (fields: Fields): Signal => {
  const tool = text(fields["toolName"])
  const input = fieldsOf(fields["toolInput"])
  const detail = text(input["command"]) ?? text(input["path"]) ?? text(input["url"]) ?? text(input["fileName"])
  return {
    _tag: "Asked",
    kind: "permission",
    tool,
    message: [tool, detail].filter((part) => part !== null).join(": ") || null
  }
}

const notificationSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const message = text(fields["message"])
  switch (fields["notification_type"]) {
    case "permission_prompt":
      return [{ _tag: "Asked", kind: "permission", tool: null, message }]
    case "elicitation_dialog":
      return [{ _tag: "Asked", kind: "question", tool: null, message }]
    default:
      return ignored("a notification that asks nothing")
  }
}

/**
 * Every failed attempt at a request is reported, but not whether it will be tried again: "recoverable" tells neither.
 */
const failureSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const message = errorText(fields["error"])
  return [{ _tag: "RequestFailed", problem: problemOf(message), message }]
}

/** A provider's error is JSON in the message of the error. */
const errorText = (error: unknown): string => text(fieldsOf(error)["message"]) ?? text(error) ?? "the request failed"
