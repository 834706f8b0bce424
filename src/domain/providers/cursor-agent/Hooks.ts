import { type Fields, fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/reading/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/**
 * Translates one of Cursor Agent's hooks, `~/.cursor/hooks.json`. Total: an unknown event is ignored. No hook reports a
 * question to the user: `beforeShellExecution` and the like fire for every tool, whether the user is asked or not.
 */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  switch (event) {
    case "sessionStart":
      return sessionSignals(fields)
    case "sessionEnd":
      return [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
    case "beforeSubmitPrompt":
      return [...sessionSignals(fields), { _tag: "TurnStarted", prompt: text(fields["prompt"]), own: false }]
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
      const response = text(fields["text"])
      return response === null ? ignored("a response without a text") : [{ _tag: "Responded", text: response }]
    }
    case "stop":
      return [...sessionSignals(fields), stopSignal(fields)]
    default:
      // No hook reports the end of a compaction; it is read from the screen.
      return ignored(`hook ${event} says nothing of the state`)
  }
}

/**
 * Every payload names the conversation. A conversation may begin with its first prompt, so its beginning must not end a
 * turn.
 */
const sessionSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId =
    ["conversation_id", "chatId", "chat_id", "session_id"]
      .map((name) => text(fields[name]))
      .find((id) => id !== null) ?? null
  const transcriptPath = text(fields["transcript_path"])
  return sessionId === null && transcriptPath === null
    ? []
    : [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "turn" }]
}

const tool = (fields: Fields, fallback: string) => ({
  tool: text(fields["tool_name"]) ?? fallback,
  id: text(fields["tool_use_id"]),
  agent: null
})

const stopSignal = (fields: Fields): Signal => {
  switch (fields["status"]) {
    case "aborted":
      return { _tag: "Interrupted", at: null }
    case "error": {
      const message =
        text(fields["error_message"]) ??
        text(fieldsOf(fields["error"])["message"]) ??
        text(fields["error"]) ??
        "the turn failed"
      return { _tag: "TurnFailed", problem: problemOf(message), message, ends: true }
    }
    default:
      return { _tag: "TurnEnded", response: null, background: null }
  }
}
