import { problemOf } from "../ProblemText.ts"
import type { BackgroundTask } from "../Session.ts"
import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

const text = (value: unknown): string | null => typeof value === "string" && value !== "" ? value : null

/** Claude Code wraps what was pasted and folded in a mark of its own. */
const pasted = /\n*<pasted_content id="([^"\n]*)">\n([\s\S]*?)\n<\/pasted_content id="\1">\n?/g
const unwrapped = (prompt: string | null): string | null => prompt === null ? null : prompt.replace(pasted, "$2")

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/** Translates one of Claude Code's lifecycle hooks. Total: what it does not know says nothing. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  const agent = text(fields["agent_id"])
  switch (event) {
    case "SessionStart":
      return [{
        _tag: "SessionStarted",
        sessionId: text(fields["session_id"]),
        transcriptPath: text(fields["transcript_path"]),
        source: text(fields["source"]) ?? "startup"
      }]
    case "SessionEnd":
      return [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
    case "UserPromptSubmit": {
      const prompt = unwrapped(text(fields["prompt"]))
      return [
        ...identity(fields),
        { _tag: "TurnStarted", prompt, own: prompt !== null && prompt.startsWith("<task-notification>") }
      ]
    }
    case "PreToolUse":
      return [{ _tag: "ToolStarted", tool: text(fields["tool_name"]) ?? "a tool", id: text(fields["tool_use_id"]), agent }]
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PermissionDenied":
      return [{ _tag: "ToolEnded", tool: text(fields["tool_name"]) ?? "a tool", id: text(fields["tool_use_id"]), agent }]
    case "PermissionRequest":
      return [asked(fields)]
    case "Elicitation":
      return [{ _tag: "Asked", kind: "elicitation", tool: text(fields["mcp_server_name"]), message: text(fields["message"]) }]
    case "ElicitationResult":
      return [{ _tag: "Answered" }]
    case "Stop":
      return agent !== null
        ? ignored("a subagent's turn")
        : [...identity(fields), {
          _tag: "TurnEnded",
          response: text(fields["last_assistant_message"]),
          background: tasks(fields["background_tasks"])
        }]
    case "StopFailure":
      return agent !== null ? ignored("a subagent's turn") : [...identity(fields), failed(fields)]
    case "PreCompact":
      return [{ _tag: "CompactStarted" }]
    case "PostCompact":
      return [{ _tag: "CompactEnded" }]
    default:
      return ignored(`hook ${event} says nothing of the state`)
  }
}

/** A session resumed from another directory is told its true transcript only with its first prompt. */
const identity = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId = text(fields["session_id"])
  const transcriptPath = text(fields["transcript_path"])
  return sessionId === null && transcriptPath === null
    ? []
    : [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "turn" }]
}

const asked = (fields: Fields): Signal => {
  const tool = text(fields["tool_name"])
  const input = fieldsOf(fields["tool_input"])
  if (tool === "AskUserQuestion") return { _tag: "Asked", kind: "question", tool, message: firstQuestion(input) }
  if (tool === "ExitPlanMode") return { _tag: "Asked", kind: "plan", tool, message: "approve the plan" }
  const what = text(input["description"]) ?? text(input["command"]) ?? text(input["file_path"])
  return { _tag: "Asked", kind: "permission", tool, message: [tool, what].filter((part) => part !== null).join(": ") || null }
}

const firstQuestion = (input: Fields): string | null => {
  const questions = input["questions"]
  return Array.isArray(questions) ? text(fieldsOf(questions[0])["question"]) : null
}

const tasks = (value: unknown): ReadonlyArray<BackgroundTask> | null => {
  if (!Array.isArray(value)) return null
  return value.map(fieldsOf).flatMap((task) => {
    const id = text(task["id"])
    const state = text(task["status"]) ?? "running"
    if (id === null || ended.has(state)) return []
    return [{
      id,
      kind: text(task["type"]) ?? "task",
      title: text(task["description"]) ?? text(task["command"]) ?? id,
      state
    }]
  })
}

const ended = new Set(["completed", "failed", "killed", "stopped", "cancelled"])

const failed = (fields: Fields): Signal => {
  const error = text(fields["error"]) ?? "unknown"
  const details = text(fields["error_details"]) ?? text(fields["last_assistant_message"]) ?? error
  return { _tag: "TurnFailed", problem: problemOf(error, details), message: details }
}
