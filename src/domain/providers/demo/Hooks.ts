import { fieldsOf as fields, placeOf, stringOf as text } from "../../words/reading/Fields.ts"
import type { BackgroundTask } from "../../words/session/Session.ts"
import { Signal } from "../../words/session/Signal.ts"
import { problemOf } from "../../words/reading/ProblemText.ts"

const questionTool = "Ask"

const failed = (message: string): Signal => Signal.cases.TurnFailed.make({ problem: problemOf(message), message })

/** Translates the demo CLI's lifecycle hooks. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const data = fields(payload)
  const tool = text(data["tool_name"]) ?? "tool"
  const { cases } = Signal
  switch (event) {
    case "SessionStart":
      return [
        cases.SessionStarted.make({
          sessionId: text(data["session_id"]),
          transcriptPath: null,
          source: text(data["source"]) ?? "startup",
          ...placeOf(data["cwd"])
        })
      ]
    case "SessionEnd":
      return [cases.SessionEnded.make({ reason: text(data["reason"]) ?? "unknown" })]
    case "UserPromptSubmit": {
      const prompt = text(data["prompt"])
      return [cases.TurnStarted.make({ prompt, own: prompt?.startsWith("<task-notification>") ?? false })]
    }
    case "PreToolUse": {
      const started = cases.ToolStarted.make({ tool, id: null, agent: null })
      const question = text(fields(data["tool_input"])["question"])
      return tool === questionTool
        ? [started, cases.Asked.make({ kind: "question", tool, message: question })]
        : [started]
    }
    case "PermissionRequest":
      return [cases.Asked.make({ kind: "permission", tool, message: requestText(tool, data["tool_input"]) })]
    case "PostToolUse": {
      const ended = cases.ToolEnded.make({ tool, id: null, agent: null })
      return tool === questionTool ? [cases.Answered.make({}), ended] : [ended]
    }
    case "Stop":
      return [
        cases.TurnEnded.make({
          response: text(data["last_assistant_message"]),
          background: tasks(data["background_tasks"])
        })
      ]
    case "StopFailure":
      return [...partialAnswer(data), failed(text(data["error_details"]) ?? "the turn failed")]
    case "Interrupt":
      return [...partialAnswer(data), cases.Ignored.make({ why: "its screen and its status tell of an interrupt" })]
    default:
      return [cases.Ignored.make({ why: `${event} says nothing of the state` })]
  }
}

/** What the assistant had said by the time its turn was cut short. */
const partialAnswer = (data: Readonly<Record<string, unknown>>): ReadonlyArray<Signal> => {
  const said = text(data["last_assistant_message"])
  return said === null || said === "" ? [] : [Signal.cases.Responded.make({ text: said })]
}

const requestText = (tool: string, input: unknown): string => {
  const { command, file_path: file } = fields(input)
  return [tool, text(command) ?? text(file)].filter((part) => part !== null).join(" ")
}

const tasks = (value: unknown): ReadonlyArray<BackgroundTask> | null =>
  Array.isArray(value)
    ? value.map((task: unknown, i) => {
        const { description, id, status, type } = fields(task)
        return {
          id: text(id) ?? String(i),
          kind: text(type) ?? "task",
          title: text(description) ?? "",
          state: text(status) ?? "running"
        }
      })
    : null
