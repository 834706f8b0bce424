import { unnamedTool } from "../../words/session/AskedTools.ts"
import * as Hook from "../../cli/provider/HookVocabulary.ts"
import { firstText } from "../../cli/provider/RequestReading.ts"
import { nonEmptyOf as text } from "../../words/reading/Fields.ts"

/** The tool by which the model waits for the user's answer. Its asynchronous counterpart does not wait. */
const questionTool = "request_user_input"

/** The longest timeout, in seconds, that Codex accepts for Interrupt and SessionEnd. */
const shortTimeout = 3

/*
 * SubagentStart and SubagentStop add nothing to the tool events of subagents; `notify` also reports hidden threads.
 * Every prompt repeats the session's ids, because it is the first event that names a new conversation in the same
 * terminal.
 */
const events: Hook.HookTable = {
  SessionStart: { says: Hook.sessionStarts },
  UserPromptSubmit: { ignoredOfSubagents: "prompt", says: Hook.turnStarts },
  PostToolUse: {
    says: (call) => [...Hook.toolEnds(call), ...(call.tool === questionTool ? Hook.answered(call) : [])]
  },
  PreCompact: { says: Hook.compactStarts },
  PostCompact: { says: Hook.compactEnds },
  Stop: {
    ignoredOfSubagents: "turn",
    says: (call) => [
      ...Hook.session(call),
      { _tag: "TurnEnded", response: text(call.fields["last_assistant_message"]), background: null }
    ]
  },
  PreToolUse: {
    waits: 10,
    says: (call) => [
      ...Hook.toolStarts(call),
      ...(call.tool === questionTool
        ? [Hook.asked("question", call.tool, Hook.firstQuestion(call.input["questions"]))]
        : [])
    ]
  },
  PermissionRequest: {
    waits: 60,
    says: ({ input, tool: name }) => {
      const tool = name ?? unnamedTool
      const detail = firstText(input, "command", "description")
      return [Hook.asked("permission", tool, detail === null ? tool : `${tool}: ${detail.split("\n")[0] ?? detail}`)]
    }
  },
  Interrupt: { timeout: shortTimeout, ignoredOfSubagents: "turn", says: Hook.interrupts },
  SessionEnd: { timeout: shortTimeout, says: Hook.sessionEnds }
}

export const readHook = Hook.reader(events)

export const wiredEvents = Hook.wiredEvents(events, 5)
