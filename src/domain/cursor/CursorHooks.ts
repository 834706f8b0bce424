import { problemOf } from "../ProblemText.ts"
import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

const text = (value: unknown): string | null => typeof value === "string" && value !== "" ? value : null

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/**
 * Translates one of Cursor Agent's hooks, `~/.cursor/hooks.json`. Total: what it does not know says nothing. None tells
 * that it asks: `beforeShellExecution` and its like fire for every tool, whether the user is asked or not.
 */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  switch (event) {
    case "sessionStart":
      return identity(fields)
    case "sessionEnd":
      return [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
    case "beforeSubmitPrompt":
      return [...identity(fields), { _tag: "TurnStarted", prompt: text(fields["prompt"]), own: false }]
    case "preToolUse":
      return [{ _tag: "ToolStarted", ...tool(fields, "a tool") }]
    case "postToolUse":
    case "postToolUseFailure":
      return [{ _tag: "ToolEnded", ...tool(fields, "a tool") }]
    case "beforeShellExecution":
      return [{ _tag: "ToolStarted", ...tool(fields, "Shell") }]
    case "afterShellExecution":
      return [{ _tag: "ToolEnded", ...tool(fields, "Shell") }]
    case "beforeMCPExecution":
      return [{ _tag: "ToolStarted", ...tool(fields, "an MCP tool") }]
    case "afterMCPExecution":
      return [{ _tag: "ToolEnded", ...tool(fields, "an MCP tool") }]
    case "afterAgentResponse": {
      const said = text(fields["text"])
      return said === null ? ignored("a response without a text") : [{ _tag: "Responded", text: said }]
    }
    case "stop":
      return [...identity(fields), stopped(fields)]
    default:
      // No hook tells when a compaction is over: the screen does.
      return ignored(`hook ${event} says nothing of the state`)
  }
}

/** Every payload names the conversation. It may begin with its first prompt, so that its beginning ends no turn. */
const identity = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId = ["conversation_id", "chatId", "chat_id", "session_id"].map((name) => text(fields[name])).find((id) => id !== null) ?? null
  const transcriptPath = text(fields["transcript_path"])
  return sessionId === null && transcriptPath === null ? [] : [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "turn" }]
}

const tool = (fields: Fields, otherwise: string) => ({
  tool: text(fields["tool_name"]) ?? otherwise,
  id: text(fields["tool_use_id"]),
  agent: null
})

const stopped = (fields: Fields): Signal => {
  switch (fields["status"]) {
    case "aborted":
      return { _tag: "Interrupted", at: null }
    case "error": {
      const message = text(fields["error_message"]) ?? text(fieldsOf(fields["error"])["message"]) ?? text(fields["error"]) ?? "the turn failed"
      return { _tag: "TurnFailed", problem: problemOf(message), message }
    }
    default:
      return { _tag: "TurnEnded", response: null, background: null }
  }
}
