import * as Hook from "../../cli/provider/HookVocabulary.ts"
import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import { errorReplyIn } from "../../words/problems/ProblemCodes.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { BackgroundTask } from "../../words/session/Session.ts"
import type { Signal } from "../../words/session/Signal.ts"
import { slugIn, slugOf } from "./Relocation.ts"

/** Claude Code wraps folded pastes in its own tag. */
const pasted = /\n*<pasted_content id="([^"\n]*)">\n([\s\S]*?)\n<\/pasted_content id="\1">\n?/g
export const unwrapPastes = (prompt: string): string => prompt.replace(pasted, "$2")

/** How prompts begin that Claude Code writes itself: after background work, and after a usage limit. */
const ownPrompts = {
  background: "<task-notification>",
  limit: "Your claude.ai usage limit has reset. Continue the task"
}

/*
 * Up to 2.1.100 an entry for an unknown event makes Claude Code skip the whole file, including the user's own rules.
 * WorktreeCreate and MessageDisplay are not wired: the first would replace git's worktrees, the second the displayed
 * text. Every turn repeats the session's ids, because after a resume in another directory the transcript's path is
 * correct only from the first prompt on.
 */
const events: Hook.HookTable = {
  SessionStart: { since: "1.0.62", says: Hook.sessionStarts },
  // The session may have left its own worktree, with the transcript.
  SessionEnd: { since: "1.0.85", says: (call) => [...Hook.session(call), ...Hook.sessionEnds(call)] },
  UserPromptSubmit: {
    since: "1.0.54",
    says: (call) => {
      const said = text(call.fields["prompt"])
      const prompt = said === null ? null : unwrapPastes(said)
      const afterLimit = prompt?.startsWith(ownPrompts.limit) === true
      const own = afterLimit || prompt?.startsWith(ownPrompts.background) === true
      return [...Hook.session(call), { _tag: "TurnStarted", prompt, own, ...(afterLimit ? { afterLimit } : {}) }]
    }
  },
  PostToolUse: { says: Hook.toolEnds },
  // The oldest version in which it was seen.
  PostToolUseFailure: { since: "2.0.77", says: Hook.toolEnds },
  PermissionDenied: { since: "2.1.89", says: Hook.toolEnds },
  Stop: {
    ignoredOfSubagents: "turn",
    says: (call) => [
      ...Hook.session(call),
      {
        _tag: "TurnEnded",
        response: text(call.fields["last_assistant_message"]),
        background: backgroundTasks(call.fields["background_tasks"])
      }
    ]
  },
  StopFailure: {
    since: "2.1.78",
    ignoredOfSubagents: "turn",
    says: (call) => [...Hook.session(call), failureSignal(call.fields)]
  },
  PreCompact: { since: "1.0.48", says: Hook.compactStarts },
  PostCompact: { since: "2.1.76", says: Hook.compactEnds },
  Elicitation: {
    since: "2.1.76",
    says: ({ fields }) => [Hook.asked("elicitation", text(fields["mcp_server_name"]), text(fields["message"]))]
  },
  ElicitationResult: { since: "2.1.76", says: Hook.answered },
  PreToolUse: { waits: 10, says: Hook.toolStarts },
  PermissionRequest: {
    waits: 60,
    matcher: "*",
    since: "2.0.45",
    says: (call) =>
      call.tool === "AskUserQuestion"
        ? [Hook.asked("question", call.tool, Hook.firstQuestion(call.input["questions"]))]
        : call.tool === "ExitPlanMode"
          ? [Hook.asked("plan", call.tool, "approve the plan")]
          : Hook.asksPermission("description", "command", "file_path")(call)
  }
}

/** The session's directory. A hook's `cwd` is its shell's, which may have moved; the transcript's path is reliable. */
const directoryIn = (fields: Fields) => {
  const cwd = text(fields["cwd"])
  return cwd !== null && slugOf(cwd) === slugIn(text(fields["transcript_path"])) ? placeOf(cwd) : {}
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

/** The code names the CLI's failure; the details quote the service's reply; the last text is the one on screen. */
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

export const readHook = Hook.reader(events, (fields) => ({ ...Hook.usualCall(fields), place: directoryIn(fields) }))

export const wiredEvents = Hook.wiredEvents(events, 5)
