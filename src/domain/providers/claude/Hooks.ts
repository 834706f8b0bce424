import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import { errorReplyIn } from "../../words/reading/ProblemCodes.ts"
import { problemOf } from "../../words/reading/ProblemText.ts"
import type { BackgroundTask } from "../../words/session/Session.ts"
import type { Signal } from "../../words/session/Signal.ts"
import { slugIn, slugOf } from "./Relocation.ts"

/** Claude Code wraps folded pastes in a tag of its own. */
const pasted = /\n*<pasted_content id="([^"\n]*)">\n([\s\S]*?)\n<\/pasted_content id="\1">\n?/g
const unwrapPastes = (prompt: string | null): string | null => (prompt === null ? null : prompt.replace(pasted, "$2"))

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/** How prompts begin that Claude Code gives itself: when background work is over, and when a usage limit is. */
const ownPrompts = {
  background: "<task-notification>",
  limit: "Your claude.ai usage limit has reset. Continue the task"
}

/** Translates one of Claude Code's lifecycle hooks. Total: an unknown event is ignored. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  const agent = text(fields["agent_id"])
  switch (event) {
    case "SessionStart":
      return [
        {
          _tag: "SessionStarted",
          sessionId: text(fields["session_id"]),
          transcriptPath: text(fields["transcript_path"]),
          source: text(fields["source"]) ?? "startup",
          ...directoryIn(fields)
        }
      ]
    case "SessionEnd":
      // It may have gone back from a worktree of its own, with the transcript.
      return [...sessionSignals(fields), { _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]
    case "UserPromptSubmit": {
      const prompt = unwrapPastes(text(fields["prompt"]))
      const afterLimit = prompt?.startsWith(ownPrompts.limit) === true
      const own = afterLimit || prompt?.startsWith(ownPrompts.background) === true
      return [...sessionSignals(fields), { _tag: "TurnStarted", prompt, own, ...(afterLimit ? { afterLimit } : {}) }]
    }
    case "PreToolUse":
      return [
        { _tag: "ToolStarted", tool: text(fields["tool_name"]) ?? "a tool", id: text(fields["tool_use_id"]), agent }
      ]
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PermissionDenied":
      return [
        { _tag: "ToolEnded", tool: text(fields["tool_name"]) ?? "a tool", id: text(fields["tool_use_id"]), agent }
      ]
    case "PermissionRequest":
      return [requestSignal(fields)]
    case "Elicitation":
      return [
        { _tag: "Asked", kind: "elicitation", tool: text(fields["mcp_server_name"]), message: text(fields["message"]) }
      ]
    case "ElicitationResult":
      return [{ _tag: "Answered" }]
    case "Stop":
      return agent !== null
        ? ignored("a subagent's turn")
        : [
            ...sessionSignals(fields),
            {
              _tag: "TurnEnded",
              response: text(fields["last_assistant_message"]),
              background: backgroundTasks(fields["background_tasks"])
            }
          ]
    case "StopFailure":
      return agent !== null ? ignored("a subagent's turn") : [...sessionSignals(fields), failureSignal(fields)]
    case "PreCompact":
      return [{ _tag: "CompactStarted" }]
    case "PostCompact":
      return [{ _tag: "CompactEnded" }]
    default:
      return ignored(`hook ${event} says nothing of the state`)
  }
}

/**
 * The session's ids, which come with every turn: the transcript of a session that was resumed in another directory is
 * reported correctly only from its first prompt on.
 */
const sessionSignals = (fields: Fields): ReadonlyArray<Signal> => {
  const sessionId = text(fields["session_id"])
  const transcriptPath = text(fields["transcript_path"])
  return sessionId === null && transcriptPath === null
    ? []
    : [{ _tag: "SessionStarted", sessionId, transcriptPath, source: "turn", ...directoryIn(fields) }]
}

/**
 * The session's directory. What a hook calls the directory is that of the shell, which keeps where a command's `cd`
 * went; it is the session's own where the transcript is filed under it (`/cd` and worktrees take the transcript along).
 */
const directoryIn = (fields: Fields) => {
  const cwd = text(fields["cwd"])
  return cwd !== null && slugOf(cwd) === slugIn(text(fields["transcript_path"])) ? placeOf(cwd) : {}
}

const requestSignal = (fields: Fields): Signal => {
  const tool = text(fields["tool_name"])
  const input = fieldsOf(fields["tool_input"])
  if (tool === "AskUserQuestion") return { _tag: "Asked", kind: "question", tool, message: firstQuestion(input) }
  if (tool === "ExitPlanMode") return { _tag: "Asked", kind: "plan", tool, message: "approve the plan" }
  const detail = text(input["description"]) ?? text(input["command"]) ?? text(input["file_path"])
  return {
    _tag: "Asked",
    kind: "permission",
    tool,
    message: [tool, detail].filter((part) => part !== null).join(": ") || null
  }
}

const firstQuestion = (input: Fields): string | null => {
  const questions = input["questions"]
  return Array.isArray(questions) ? text(fieldsOf(questions[0])["question"]) : null
}

const backgroundTasks = (value: unknown): ReadonlyArray<BackgroundTask> | null => {
  if (!Array.isArray(value)) return null
  return value.map(fieldsOf).flatMap((task) => {
    const id = text(task["id"])
    const state = text(task["status"]) ?? "running"
    if (id === null || endedStates.has(state)) return []
    return [
      {
        id,
        kind: text(task["type"]) ?? "task",
        title: text(task["description"]) ?? text(task["command"]) ?? id,
        state
      }
    ]
  })
}

const endedStates = new Set(["completed", "failed", "killed", "stopped", "cancelled"])

/** The code says which of its own failures it is; the details quote the service's reply; the last text is on screen. */
const failureSignal = (fields: Fields): Signal => {
  const code = text(fields["error"]) ?? "unknown"
  const details = text(fields["error_details"])
  const shown = text(fields["last_assistant_message"])
  const message = (details === null ? null : errorReplyIn(details)?.message) ?? shown ?? details ?? code
  return {
    _tag: "TurnFailed",
    problem: problemOf(code, ...[details, shown].filter((said) => said !== null), message),
    message,
    ends: true
  }
}
