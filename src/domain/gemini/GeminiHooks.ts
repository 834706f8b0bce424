import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

const text = (value: unknown): string | null => typeof value === "string" && value !== "" ? value : null

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/** Translates one of Gemini CLI's lifecycle hooks. Total: what it does not know says nothing. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  switch (event) {
    case "SessionStart":
      return [identity(fields, text(fields["source"]) ?? "startup")]
    case "SessionEnd":
      return [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
    case "BeforeAgent":
      return [identity(fields, "turn"), { _tag: "TurnStarted", prompt: text(fields["prompt"]), own: false }]
    case "BeforeTool":
      return [{ _tag: "ToolStarted", tool: text(fields["tool_name"]) ?? "a tool", id: null, agent: null }]
    case "AfterTool":
      return [{ _tag: "ToolEnded", tool: text(fields["tool_name"]) ?? "a tool", id: null, agent: null }]
    case "Notification":
      return fields["notification_type"] === "ToolPermission" ? [asked(fields)] : ignored("a notification of another kind")
    case "AfterAgent":
      // Its text is glued together from pieces, with blanks between and the beginning twice: no answer to show.
      return [identity(fields, "turn"), { _tag: "TurnEnded", response: null, background: null }]
    case "PreCompress":
      // Fires before every request, whether the conversation is compressed or not, unless the user asked for it.
      return fields["trigger"] === "manual" ? [{ _tag: "CompactStarted" }] : ignored("the CLI looks whether to compress")
    default:
      return ignored(`hook ${event} says nothing of the state`)
  }
}

/** Every payload names its session. */
const identity = (fields: Fields, source: string): Signal => ({
  _tag: "SessionStarted",
  sessionId: text(fields["session_id"]),
  transcriptPath: text(fields["transcript_path"]),
  source
})

const asked = (fields: Fields): Signal => {
  const details = fieldsOf(fields["details"])
  const title = text(details["title"])
  switch (details["type"]) {
    case "ask_user":
      return { _tag: "Asked", kind: "question", tool: "ask_user", message: title }
    case "exit_plan_mode":
      return { _tag: "Asked", kind: "plan", tool: "exit_plan_mode", message: title ?? "approve the plan" }
    default: {
      const what = text(details["command"]) ?? text(details["filePath"]) ?? text(details["toolDisplayName"]) ?? text(details["toolName"]) ??
        text(details["prompt"])
      const message = [title ?? text(fields["message"]), what].filter((part) => part !== null).join(": ")
      return { _tag: "Asked", kind: "permission", tool: text(details["rootCommand"]), message: message === "" ? null : message }
    }
  }
}
