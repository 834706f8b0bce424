import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import type { Signal } from "../../words/session/Signal.ts"

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/** Translates one of Gemini CLI's lifecycle hooks. Total: an unknown event is ignored. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  switch (event) {
    case "SessionStart":
      return [sessionSignal(fields, text(fields["source"]) ?? "startup")]
    case "SessionEnd":
      return [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
    case "BeforeAgent": {
      const prompt = text(fields["prompt"])
      const own = prompt !== null && nudge.test(prompt)
      return [
        sessionSignal(fields, "turn"),
        { _tag: "TurnStarted", prompt: own ? null : prompt, own, ...(own ? { goesOn: true } : {}) }
      ]
    }
    case "BeforeTool":
      return [{ _tag: "ToolStarted", tool: text(fields["tool_name"]) ?? "a tool", id: null, agent: null }]
    case "AfterTool":
      return [{ _tag: "ToolEnded", tool: text(fields["tool_name"]) ?? "a tool", id: null, agent: null }]
    case "Notification":
      return fields["notification_type"] === "ToolPermission"
        ? [requestSignal(fields)]
        : ignored("a notification of another kind")
    case "AfterAgent":
      // Its text is joined from streamed parts, with blanks between them and the beginning twice, so it cannot be
      // displayed.
      return [sessionSignal(fields, "turn"), { _tag: "TurnEnded", response: null, background: null }]
    case "PreCompress":
      // Fires before every request, whether the conversation is compressed or not; only `manual` is a request of the
      // user's.
      return fields["trigger"] === "manual"
        ? [{ _tag: "CompactStarted" }]
        : ignored("the CLI looks whether to compress")
    default:
      return ignored(`hook ${event} says nothing of the state`)
  }
}

/** The CLI's own words to a model that said nothing behind a tool: the turn, whose end it has told, goes on. */
const nudge = /^\[System: You successfully executed a tool but returned an empty response\b/

/** Every payload names its session. */
const sessionSignal = (fields: Fields, source: string): Signal => ({
  _tag: "SessionStarted",
  sessionId: text(fields["session_id"]),
  transcriptPath: text(fields["transcript_path"]),
  source,
  ...placeOf(fields["cwd"])
})

const requestSignal = (fields: Fields): Signal => {
  const details = fieldsOf(fields["details"])
  const title = text(details["title"])
  switch (details["type"]) {
    case "ask_user":
      return { _tag: "Asked", kind: "question", tool: "ask_user", message: title }
    case "exit_plan_mode":
      return { _tag: "Asked", kind: "plan", tool: "exit_plan_mode", message: title ?? "approve the plan" }
    default: {
      const detail =
        text(details["command"]) ??
        text(details["filePath"]) ??
        text(details["toolDisplayName"]) ??
        text(details["toolName"]) ??
        text(details["prompt"])
      const message = [title ?? text(fields["message"]), detail].filter((part) => part !== null).join(": ")
      return {
        _tag: "Asked",
        kind: "permission",
        tool: text(details["rootCommand"]),
        message: message === "" ? null : message
      }
    }
  }
}
