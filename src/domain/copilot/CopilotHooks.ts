import { problemOf } from "../ProblemText.ts"
import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

const text = (value: unknown): string | null => typeof value === "string" && value !== "" ? value : null

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/** Translates one of Copilot's lifecycle hooks, or what it tells its status line. Total: what it does not know says nothing. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  // A subagent has a session id of its own, and names the session that it works for.
  const agent = text(fields["parentAgentId"]) === null ? null : text(fields["agentId"])
  switch (event) {
    case "StatusLine":
      return statusLine(fields)
    case "sessionStart":
      // It comes with the first prompt, and may come after that prompt's own hook: it begins nothing anew.
      return agent === null ? named(fields) : ignored("a subagent's session")
    case "sessionEnd":
      return agent === null ? [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }] : ignored("a subagent's session")
    case "userPromptSubmitted": {
      if (agent !== null) return ignored("a subagent's prompt")
      const prompt = text(fields["prompt"])
      return [...named(fields), { _tag: "TurnStarted", prompt, own: prompt?.startsWith("<system_notification>") === true }]
    }
    case "preToolUse":
      return [{ _tag: "ToolStarted", tool: text(fields["toolName"]) ?? "a tool", id: null, agent }, ...question(fields)]
    case "postToolUse":
    case "postToolUseFailure":
      return [{ _tag: "ToolEnded", tool: text(fields["toolName"]) ?? "a tool", id: null, agent }]
    case "permissionRequest":
      return [permission(fields)]
    case "notification":
      return notification(fields)
    case "agentStop":
      return agent === null ? [...named(fields), { _tag: "TurnEnded", response: null, background: null }] : ignored("a subagent's turn")
    case "errorOccurred":
      return agent === null ? failed(fields) : ignored("a subagent's failure")
    case "preCompact":
      return agent === null ? [{ _tag: "CompactStarted" }] : ignored("a subagent's compaction")
    default:
      return ignored(`hook ${event} says nothing of the state`)
  }
}

const named = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId = text(fields["sessionId"])
  const transcriptPath = text(fields["transcriptPath"])
  return sessionId === null && transcriptPath === null ? [] : [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "turn" }]
}

/** The first source of the session's id. It names the session's directory, in which the transcript is. */
const statusLine = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId = text(fields["session_id"])
  const directory = text(fields["transcript_path"])
  if (sessionId === null && directory === null) return ignored("a status line without a session")
  const transcriptPath = directory === null || directory.endsWith(".jsonl") ? directory : `${directory.replace(/[/\\]+$/, "")}/events.jsonl`
  return [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "status line" }]
}

const question = (fields: Fields): ReadonlyArray<Signal> => {
  const tool = text(fields["toolName"])
  if (tool === "ask_user") {
    const args = fieldsOf(fields["toolArgs"])
    return [{ _tag: "Asked", kind: "question", tool, message: text(args["message"]) ?? text(args["question"]) }]
  }
  return tool === "exit_plan_mode" ? [{ _tag: "Asked", kind: "plan", tool, message: "approve the plan" }] : []
}

const permission = (fields: Fields): Signal => {
  const tool = text(fields["toolName"])
  const input = fieldsOf(fields["toolInput"])
  const what = text(input["command"]) ?? text(input["path"]) ?? text(input["url"]) ?? text(input["fileName"])
  return { _tag: "Asked", kind: "permission", tool, message: [tool, what].filter((part) => part !== null).join(": ") || null }
}

const notification = (fields: Fields): ReadonlyArray<Signal> => {
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

/** Every attempt at a request that failed is told, and whether it will be tried again is not: "recoverable" says neither. */
const failed = (fields: Fields): ReadonlyArray<Signal> => {
  const message = errorText(fields["error"])
  return [{ _tag: "RequestFailed", problem: problemOf(message), message }]
}

/** A provider's error is JSON in the error's message. */
const errorText = (error: unknown): string => text(fieldsOf(error)["message"]) ?? text(error) ?? "the request failed"
