import type { PermissionProtocol } from "../PermissionProtocol.ts"
import { answering, type Answers, onlyOption } from "../policy/PermissionAnswers.ts"
import { type Fields, fieldsOf, firstText, requestOf, text } from "../policy/RequestReading.ts"
import type { ToolRequest } from "../policy/ToolRequest.ts"

const answer = (hookEventName: string, specific: object) => ({ hookSpecificOutput: { hookEventName, ...specific } })
const permission = (permissionDecision: "ask" | "deny") => (permissionDecisionReason: string) => answer("PreToolUse", { permissionDecision, permissionDecisionReason })

/*
 * PermissionRequest comes with the dialog. In its automatic modes Claude Code mostly asks nobody: what a rule refuses or
 * wants asked is said before the tool, by PreToolUse. Elicitations are heard and never answered.
 */
const answers: Answers = {
  PermissionRequest: {
    allow: () => answer("PermissionRequest", { decision: { behavior: "allow" } }),
    deny: (message) => answer("PermissionRequest", { decision: { behavior: "deny", message } })
  },
  PreToolUse: { ask: permission("ask"), deny: permission("deny") },
  Elicitation: {}
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  Bash: "command", Monitor: "command", PowerShell: "command",
  Edit: "edit", MultiEdit: "edit", Write: "edit", NotebookEdit: "edit",
  Read: "read", NotebookRead: "read", Glob: "read", Grep: "read", LS: "read",
  WebFetch: "fetch", WebSearch: "fetch",
  Agent: "agent", Task: "agent",
  AskUserQuestion: "question", EnterPlanMode: "plan", ExitPlanMode: "plan"
}

const kindOf = (tool: string): ToolRequest["kind"] =>
  Object.hasOwn(kinds, tool) ? kinds[tool] ?? "other" : tool.startsWith("mcp__") ? "mcp" : "other"

const pathsIn = (input: Fields): ReadonlyArray<string> => ["file_path", "notebook_path", "path"].flatMap((name) => text(input[name]) ?? [])

const read = (event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const common = {
    agent: text(fields["agent_id"]) === null ? null : text(fields["agent_type"]) ?? "subagent",
    cwd: text(fields["cwd"]) ?? ""
  }
  if (event === "Elicitation") return requestOf({ tool: text(fields["mcp_server_name"]) ?? "an MCP server", kind: "elicitation", ...common })
  const tool = text(fields["tool_name"])
  if (tool === null) return null
  const kind = kindOf(tool)
  const input = fieldsOf(fields["tool_input"])
  return requestOf({
    tool,
    kind,
    command: kind === "command" ? text(input["command"]) : null,
    paths: pathsIn(input),
    url: firstText(input, "url"),
    ...common
  })
}

/** How Claude Code asks for leave, and takes an answer. */
export const claudePermissions: PermissionProtocol = answering({
  answers,
  read,
  plainYes: (dialog) => dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => label === "Yes") : null
})
