import * as Hook from "../../cli/provider/HookVocabulary.ts"
import { firstText } from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { BackgroundTask } from "../../words/session/Session.ts"
import type { Signal } from "../../words/session/Signal.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"

const questionTool = "Ask"

const partialAnswer = (fields: Fields): ReadonlyArray<Signal> => {
  const said = text(fields["last_assistant_message"])
  return said === null ? [] : [{ _tag: "Responded", text: said }]
}

const tasks = (value: unknown): ReadonlyArray<BackgroundTask> | null =>
  Array.isArray(value)
    ? value.map((task: unknown, i) => {
        const { description, id, status, type } = fieldsOf(task)
        return {
          id: text(id) ?? String(i),
          kind: text(type) ?? "task",
          title: text(description) ?? "",
          state: text(status) ?? "running"
        }
      })
    : null

const events: Hook.HookTable = {
  SessionStart: { says: Hook.sessionStarts },
  UserPromptSubmit: {
    says: ({ fields }) => {
      const prompt = text(fields["prompt"])
      return [{ _tag: "TurnStarted", prompt, own: prompt?.startsWith("<task-notification>") ?? false }]
    }
  },
  PreToolUse: {
    says: (call) => [
      ...Hook.toolStarts(call),
      ...(call.tool === questionTool ? [Hook.asked("question", call.tool, text(call.input["question"]))] : [])
    ]
  },
  PermissionRequest: {
    waits: 30,
    says: ({ input, tool }) => {
      const words = [tool, firstText(input, "command", "file_path")].filter((part) => part !== null)
      return [Hook.asked("permission", tool, words.join(" "))]
    }
  },
  PostToolUse: {
    says: (call) => [...(call.tool === questionTool ? Hook.answered(call) : []), ...Hook.toolEnds(call)]
  },
  Stop: {
    says: ({ fields }) => [
      {
        _tag: "TurnEnded",
        response: text(fields["last_assistant_message"]),
        background: tasks(fields["background_tasks"])
      }
    ]
  },
  StopFailure: {
    says: ({ fields }) => {
      const message = text(fields["error_details"]) ?? "the turn failed"
      return [...partialAnswer(fields), { _tag: "TurnFailed", problem: problemOf(message), message }]
    }
  },
  Interrupt: {
    says: ({ fields }) => [...partialAnswer(fields), ...Hook.ignored("its screen and its status tell of an interrupt")]
  },
  SessionEnd: { says: Hook.sessionEnds }
}

export const readHook = Hook.reader(events, (fields) => ({
  ...Hook.usualCall(fields),
  transcriptPath: null,
  tool: text(fields["tool_name"]) ?? "tool",
  agent: null,
  id: null
}))

export const wiredEvents = Hook.wiredEvents(events, 10)
