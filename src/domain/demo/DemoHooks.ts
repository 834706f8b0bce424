import { settingsFile } from "../HookSettings.ts"
import { groupedHooks } from "../HookShapes.ts"
import type { HookWiring, WiredEvent } from "../HookWiring.ts"
import type { BackgroundTask } from "../Session.ts"
import { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>

const fields = (value: unknown): Fields =>
  // An object that is not an array is a record of unknown values, whatever it holds.
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
const text = (value: unknown): string | null => typeof value === "string" ? value : null

const questionTool = "Ask"

/** Translates the demo CLI's lifecycle hooks. */
export const readDemoHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const said = fields(payload)
  const tool = text(said["tool_name"]) ?? "tool"
  const { cases } = Signal
  switch (event) {
    case "SessionStart":
      return [cases.SessionStarted.make({ sessionId: text(said["session_id"]), transcriptPath: null, source: text(said["source"]) ?? "startup" })]
    case "SessionEnd":
      return [cases.SessionEnded.make({ reason: text(said["reason"]) ?? "unknown" })]
    case "UserPromptSubmit": {
      const prompt = text(said["prompt"])
      return [cases.TurnStarted.make({ prompt, own: prompt?.startsWith("<task-notification>") ?? false })]
    }
    case "PreToolUse": {
      const started = cases.ToolStarted.make({ tool, id: null, agent: null })
      const question = text(fields(said["tool_input"])["question"])
      return tool === questionTool ? [started, cases.Asked.make({ kind: "question", tool, message: question })] : [started]
    }
    case "PermissionRequest":
      return [cases.Asked.make({ kind: "permission", tool, message: askedFor(tool, said["tool_input"]) })]
    case "PostToolUse": {
      const ended = cases.ToolEnded.make({ tool, id: null, agent: null })
      return tool === questionTool ? [cases.Answered.make({}), ended] : [ended]
    }
    case "Stop":
      return [cases.TurnEnded.make({ response: text(said["last_assistant_message"]), background: tasks(said["background_tasks"]) })]
    case "StopFailure":
      return [cases.TurnFailed.make({ problem: null, message: text(said["error_details"]) ?? "the turn failed" })]
    default:
      return [cases.Ignored.make({ why: `${event} says nothing of the state` })]
  }
}

const askedFor = (tool: string, input: unknown): string => {
  const { command, file_path: file } = fields(input)
  return [tool, text(command) ?? text(file)].filter((part) => part !== null).join(" ")
}

const tasks = (value: unknown): ReadonlyArray<BackgroundTask> | null =>
  Array.isArray(value)
    ? value.map((task: unknown, i) => {
      const { description, id, status, type } = fields(task)
      return { id: text(id) ?? String(i), kind: text(type) ?? "task", title: text(description) ?? "", state: text(status) ?? "running" }
    })
    : null

const event = (name: string, decision = false): WiredEvent => ({ event: name, decision, timeout: decision ? 30 : 10, matcher: null })

const events: ReadonlyArray<WiredEvent> = [
  event("SessionStart"), event("UserPromptSubmit"), event("PreToolUse"), event("PermissionRequest", true),
  event("PostToolUse"), event("Stop"), event("StopFailure"), event("SessionEnd")
]

/** Where the demo CLI reads its hooks, and which of them leap wants. */
export const demoHookWiring: HookWiring = {
  events,
  files: ({ env, script }) => [
    settingsFile(`${env["LEAP_DEMO_HOME"] ?? `${env["HOME"] ?? ""}/.leap-demo`}/settings.json`, { events, script, shape: groupedHooks })
  ]
}
