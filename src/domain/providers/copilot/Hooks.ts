import * as Hook from "../../cli/provider/HookVocabulary.ts"
import { firstText } from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

/** Copilot's own field names. A subagent has its own session id, and names its parent's. */
const callOf = (fields: Fields): Hook.Call => ({
  fields,
  sessionId: text(fields["sessionId"]),
  transcriptPath: text(fields["transcriptPath"]),
  place: placeOf(fields["cwd"]),
  agent: text(fields["parentAgentId"]) === null ? null : text(fields["agentId"]),
  tool: text(fields["toolName"]),
  id: null,
  input: fieldsOf(fields["toolInput"])
})

/** The earliest source of the session's id. The path is the session's directory, which contains the transcript. */
const statusLineSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId = text(fields["session_id"])
  const directory = text(fields["transcript_path"])
  if (sessionId === null && directory === null) return Hook.ignored("a status line without a session")
  const transcriptPath =
    directory === null || directory.endsWith(".jsonl") ? directory : `${directory.replace(/[/\\]+$/, "")}/events.jsonl`
  return [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "status line", ...placeOf(fields["cwd"]) }]
}

const questionSignals = ({ fields, tool }: Hook.Call): ReadonlyArray<Signal> =>
  tool === "ask_user"
    ? [Hook.asked("question", tool, firstText(fieldsOf(fields["toolArgs"]), "message", "question"))]
    : tool === "exit_plan_mode"
      ? [Hook.asked("plan", tool, "approve the plan")]
      : []

const notificationSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const message = text(fields["message"])
  switch (fields["notification_type"]) {
    case "permission_prompt":
      return [Hook.asked("permission", null, message)]
    case "elicitation_dialog":
      return [Hook.asked("question", null, message)]
    default:
      return Hook.ignored("a notification that asks nothing")
  }
}

/** Copilot reports every failed attempt, but not whether another one follows; "recoverable" does not say so. */
const failureSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const message = errorText(fields["error"])
  return [{ _tag: "RequestFailed", problem: problemOf(message), message }]
}

/** A provider's error is JSON in the message of the error. */
const errorText = (error: unknown): string => text(fieldsOf(error)["message"]) ?? text(error) ?? "the request failed"

// userPromptTransformed and preMcpToolCall repeat others. A subagent's agentStop names the subagent.
const events: Hook.HookTable = {
  // This comes with the first prompt, maybe after the prompt's own hook, so it must not begin a new state.
  sessionStart: { ignoredOfSubagents: "session", says: Hook.session },
  sessionEnd: { ignoredOfSubagents: "session", says: Hook.sessionEnds },
  userPromptSubmitted: {
    ignoredOfSubagents: "prompt",
    says: (call) => {
      const prompt = text(call.fields["prompt"])
      const own = prompt?.startsWith("<system_notification>") === true
      return [...Hook.session(call), { _tag: "TurnStarted", prompt, own }]
    }
  },
  postToolUse: { says: Hook.toolEnds },
  postToolUseFailure: { says: Hook.toolEnds },
  agentStop: { ignoredOfSubagents: "turn", says: Hook.turnEnds },
  errorOccurred: { ignoredOfSubagents: "failure", says: ({ fields }) => failureSignals(fields) },
  preCompact: { ignoredOfSubagents: "compaction", says: Hook.compactStarts },
  notification: { says: ({ fields }) => notificationSignals(fields) },
  preToolUse: { waits: 10, says: (call) => [...Hook.toolStarts(call), ...questionSignals(call)] },
  permissionRequest: { waits: 60, says: Hook.asksPermission("command", "path", "url", "fileName") },
  StatusLine: { isWired: false, says: ({ fields }) => statusLineSignals(fields) }
}

export const readHook = Hook.reader(events, callOf)

export const wiredEvents = Hook.wiredEvents(events, 5)
