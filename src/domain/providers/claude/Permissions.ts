import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { type HookAnswers, hookPermissions, onlyOption } from "../../cli/provider/PermissionAnswers.ts"
import { firstText, globsOf, requestOf } from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { RequestShape } from "../../cli/provider/RequestRemainder.ts"

const hookAnswer = (hookEventName: string, specific: object) => ({ hookSpecificOutput: { hookEventName, ...specific } })
const preToolUseAnswer = (permissionDecision: "ask" | "deny") => (permissionDecisionReason: string) =>
  hookAnswer("PreToolUse", { permissionDecision, permissionDecisionReason })

/*
 * PermissionRequest comes with the dialog. In its automatic modes Claude Code asks the user for little, so PreToolUse,
 * which comes before every tool, gives the verdicts of rules that deny or ask. Elicitations are read and never
 * answered.
 */
const answers: HookAnswers = {
  PermissionRequest: {
    allow: () => hookAnswer("PermissionRequest", { decision: { behavior: "allow" } }),
    deny: (message) => hookAnswer("PermissionRequest", { decision: { behavior: "deny", message } })
  },
  PreToolUse: { ask: preToolUseAnswer("ask"), deny: preToolUseAnswer("deny") },
  Elicitation: {}
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  Bash: "command",
  Monitor: "command",
  PowerShell: "command",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  Read: "read",
  NotebookRead: "read",
  Glob: "read",
  Grep: "read",
  LS: "read",
  WebFetch: "fetch",
  WebSearch: "fetch",
  Agent: "agent",
  Task: "agent",
  AskUserQuestion: "question",
  EnterPlanMode: "plan",
  ExitPlanMode: "plan"
}

const kindOf = (tool: string): ToolRequest["kind"] =>
  Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : tool.startsWith("mcp__") ? "mcp" : "other"

/** The patterns of files that its searches take. */
const globsIn = (tool: string, input: Fields) =>
  tool === "Glob" ? globsOf(text(input["pattern"])) : tool === "Grep" ? globsOf(text(input["glob"])) : {}

const shape: RequestShape = {
  inputs: (_event, payload) => [fieldsOf(payload)["tool_input"]],
  envelope: () => ["tool_name", "tool_input"],
  inert: {
    "*": ["description", "prompt", "content", "old_string", "new_string", "new_source", "query"],
    Grep: ["pattern", "-A", "-B", "-C"],
    Read: ["pages"],
    NotebookEdit: ["cell_id"]
  },
  bare: ["Glob", "Grep", "LS", "WebSearch"]
}

const pathsIn = (input: Fields): ReadonlyArray<string> =>
  ["file_path", "notebook_path", "path"].flatMap((name) => text(input[name]) ?? [])

const read = (event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const common = {
    agent: text(fields["agent_id"]) === null ? null : (text(fields["agent_type"]) ?? "subagent"),
    cwd: text(fields["cwd"]) ?? ""
  }
  if (event === "Elicitation")
    return requestOf({ tool: text(fields["mcp_server_name"]) ?? "an MCP server", kind: "elicitation", ...common })
  const tool = text(fields["tool_name"])
  if (tool === null) return null
  const kind = kindOf(tool)
  const input = fieldsOf(fields["tool_input"])
  return requestOf({
    tool,
    kind,
    command: kind === "command" ? text(input["command"]) : null,
    paths: pathsIn(input),
    ...globsIn(tool, input),
    url: firstText(input, "url"),
    ...common
  })
}

/** How Claude Code requests permissions and takes an answer. */
export const claudePermissions: PermissionProtocol = hookPermissions({
  answers,
  read,
  shape,
  plainYes: (dialog) => (dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => label === "Yes") : null)
})
