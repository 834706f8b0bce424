import * as Hook from "../../cli/provider/HookVocabulary.ts"
import { firstText } from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

/** Every payload names the conversation, but no directory and no subagent. */
const callOf = (fields: Fields): Hook.Call => ({
  ...Hook.usualCall(fields),
  sessionId: firstText(fields, "conversation_id", "chatId", "chat_id", "session_id"),
  place: {},
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

const toolStarts =
  (otherwise: string): Hook.Says =>
  (call) =>
    Hook.toolStarts({ ...call, tool: call.tool ?? otherwise })
const toolEnds =
  (otherwise: string): Hook.Says =>
  (call) =>
    Hook.toolEnds({ ...call, tool: call.tool ?? otherwise })

/*
 * `beforeReadFile` is not wired: its payload is that whole file, and `preToolUse` reports the tool, too. A version that
 * does not know one of the names silently ignores all hooks, so only hooks that leap reads are wired. No hook reports a
 * question to the user: `beforeShellExecution` and the like fire for every tool, whether the user is asked or not. No
 * hook reports the end of a compaction; leap reads it from the screen.
 */
const events: Hook.HookTable = {
  // This event may come with a conversation's first prompt, so it must not end the turn.
  sessionStart: { says: Hook.session },
  sessionEnd: { says: Hook.sessionEnds },
  beforeSubmitPrompt: { says: Hook.turnStarts },
  postToolUse: { says: Hook.toolEnds },
  postToolUseFailure: { says: Hook.toolEnds },
  afterAgentResponse: {
    says: ({ fields }) => {
      const response = text(fields["text"])
      return response === null ? Hook.ignored("a response without a text") : [{ _tag: "Responded", text: response }]
    }
  },
  stop: { says: (call) => [...Hook.session(call), stopSignal(call.fields)] },
  preToolUse: { waits: 10, says: Hook.toolStarts },
  beforeShellExecution: { waits: 10, says: toolStarts("Shell") },
  beforeMCPExecution: { waits: 10, says: toolStarts("an MCP tool") },
  afterShellExecution: { isWired: false, says: toolEnds("Shell") },
  afterMCPExecution: { isWired: false, says: toolEnds("an MCP tool") }
}

export const readHook = Hook.reader(events, callOf)

export const wiredEvents = Hook.wiredEvents(events, 5)
