import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

const text = (value: unknown): string | null => typeof value === "string" && value !== "" ? value : null

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/** The tool by which the model asks the user and waits; its asynchronous sister only leaves a question in the conversation. */
const questionTool = "request_user_input"

/** Translates one of Codex's lifecycle hooks. Total: what it does not know says nothing. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  const agent = text(fields["agent_id"])
  const tool = text(fields["tool_name"]) ?? "a tool"
  const id = text(fields["tool_use_id"])
  switch (event) {
    case "SessionStart":
      return [{ _tag: "SessionStarted", ...session(fields), source: text(fields["source"]) ?? "startup" }]
    case "SessionEnd":
      return [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
    case "UserPromptSubmit":
      return agent !== null ? ignored("a subagent's prompt") : [...identity(fields), { _tag: "TurnStarted", prompt: text(fields["prompt"]), own: false }]
    case "PreToolUse":
      return [
        { _tag: "ToolStarted", tool, id, agent },
        ...(tool === questionTool ? [{ _tag: "Asked", kind: "question", tool, message: firstQuestion(fieldsOf(fields["tool_input"])) } as const] : [])
      ]
    case "PostToolUse":
      return [{ _tag: "ToolEnded", tool, id, agent }, ...(tool === questionTool ? [{ _tag: "Answered" } as const] : [])]
    case "PermissionRequest":
      return [asked(tool, fieldsOf(fields["tool_input"]))]
    case "Stop":
      return agent !== null
        ? ignored("a subagent's turn")
        : [...identity(fields), { _tag: "TurnEnded", response: text(fields["last_assistant_message"]), background: null }]
    case "Interrupt":
      return agent !== null ? ignored("a subagent's turn") : [{ _tag: "Interrupted", at: null }]
    case "PreCompact":
      return [{ _tag: "CompactStarted" }]
    case "PostCompact":
      return [{ _tag: "CompactEnded" }]
    default:
      // also `notify`, which speaks of hidden threads as well as of this one
      return ignored(`hook ${event} says nothing of the state`)
  }
}

const session = (fields: Fields) => ({ sessionId: text(fields["session_id"]), transcriptPath: text(fields["transcript_path"]) })

/** A new conversation in the same terminal is named by its prompts. */
const identity = (fields: Fields): ReadonlyArray<Signal> => {
  const named = session(fields)
  return named.sessionId === null && named.transcriptPath === null ? [] : [{ _tag: "SessionStarted", ...named, source: "turn" }]
}

const asked = (tool: string, input: Fields): Signal => {
  const what = text(input["command"]) ?? text(input["description"])
  return { _tag: "Asked", kind: "permission", tool, message: what === null ? tool : `${tool}: ${what.split("\n")[0] ?? what}` }
}

const firstQuestion = (input: Fields): string | null => {
  const questions = input["questions"]
  return Array.isArray(questions) ? text(fieldsOf(questions[0])["question"]) : null
}
