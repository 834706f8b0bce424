import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import type { Signal } from "../../words/session/Signal.ts"

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/**
 * The tool by which the model asks the user and waits for the answer. Its asynchronous counterpart only leaves a
 * question in the conversation.
 */
const questionTool = "request_user_input"

/** Translates one of Codex's lifecycle hooks. Total: an unknown event is ignored. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  const agent = text(fields["agent_id"])
  const tool = text(fields["tool_name"]) ?? "a tool"
  const id = text(fields["tool_use_id"])
  switch (event) {
    case "SessionStart":
      return [{ _tag: "SessionStarted", ...sessionIds(fields), source: text(fields["source"]) ?? "startup" }]
    case "SessionEnd":
      return [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
    case "UserPromptSubmit":
      return agent !== null
        ? ignored("a subagent's prompt")
        : [...sessionSignals(fields), { _tag: "TurnStarted", prompt: text(fields["prompt"]), own: false }]
    case "PreToolUse":
      return [
        { _tag: "ToolStarted", tool, id, agent },
        ...(tool === questionTool
          ? [{ _tag: "Asked", kind: "question", tool, message: firstQuestion(fieldsOf(fields["tool_input"])) } as const]
          : [])
      ]
    case "PostToolUse":
      return [{ _tag: "ToolEnded", tool, id, agent }, ...(tool === questionTool ? [{ _tag: "Answered" } as const] : [])]
    case "PermissionRequest":
      return [requestSignal(tool, fieldsOf(fields["tool_input"]))]
    case "Stop":
      return agent !== null
        ? ignored("a subagent's turn")
        : [
            ...sessionSignals(fields),
            { _tag: "TurnEnded", response: text(fields["last_assistant_message"]), background: null }
          ]
    case "Interrupt":
      return agent !== null ? ignored("a subagent's turn") : [{ _tag: "Interrupted", at: null }]
    case "PreCompact":
      return [{ _tag: "CompactStarted" }]
    case "PostCompact":
      return [{ _tag: "CompactEnded" }]
    default:
      // This includes `notify`, which also reports on hidden threads.
      return ignored(`hook ${event} says nothing of the state`)
  }
}

const sessionIds = (fields: Fields) => ({
  sessionId: text(fields["session_id"]),
  transcriptPath: text(fields["transcript_path"]),
  ...placeOf(fields["cwd"])
})

/**
 * The session's ids, which come with every prompt: a new conversation in the same terminal is first named by its
 * prompt.
 */
const sessionSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const ids = sessionIds(fields)
  return ids.sessionId === null && ids.transcriptPath === null
    ? []
    : [{ _tag: "SessionStarted", ...ids, source: "turn" }]
}

const requestSignal = (tool: string, input: Fields): Signal => {
  const detail = text(input["command"]) ?? text(input["description"])
  return {
    _tag: "Asked",
    kind: "permission",
    tool,
    message: detail === null ? tool : `${tool}: ${detail.split("\n")[0] ?? detail}`
  }
}

const firstQuestion = (input: Fields): string | null => {
  const questions = input["questions"]
  return Array.isArray(questions) ? text(fieldsOf(questions[0])["question"]) : null
}
