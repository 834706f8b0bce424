import type { PermissionProtocol } from "../PermissionProtocol.ts"
import { answering, type Answers, onlyOption } from "../policy/PermissionAnswers.ts"
import { argumentsOf, commandLineOf, fieldsOf, firstText, patchPaths, patchPathsIn, requestOf, text, texts } from "../policy/RequestReading.ts"
import type { ToolRequest } from "../policy/ToolRequest.ts"

/*
 * preToolUse comes before every tool, permissionRequest only where Copilot would ask. Either could allow; only the second
 * does here, so that what else Copilot weighs (its own rules, its sandbox, the paths it trusts) is weighed before.
 */
const answers: Answers = {
  permissionRequest: { allow: () => ({ behavior: "allow" }), deny: (message) => ({ behavior: "deny", message }) },
  preToolUse: { deny: (why) => ({ permissionDecision: "deny", permissionDecisionReason: why }) }
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  bash: "command", shell: "command", powershell: "command", write_bash: "command", write_powershell: "command",
  view: "read", read: "read", glob: "read", grep: "read", rg: "read",
  edit: "edit", create: "edit", write: "edit", apply_patch: "edit", str_replace: "edit", insert: "edit", str_replace_editor: "edit",
  web_fetch: "fetch", fetch: "fetch", url: "fetch", web_search: "fetch",
  task: "agent",
  ask_user: "question", exit_plan_mode: "plan"
}

/** A tool of an MCP server is named by both, with a hyphen between; Copilot's own have none. */
const kindOf = (tool: string, command: unknown): ToolRequest["kind"] => {
  if (tool === "str_replace_editor" && command === "view") return "read"
  return Object.hasOwn(kinds, tool) ? kinds[tool] ?? "other" : tool.includes("-") ? "mcp" : "other"
}

const read = (_event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["toolName"])
  if (tool === null) return null
  const given = fields["toolArgs"] ?? fields["toolInput"]
  const input = argumentsOf(given)
  const kind = kindOf(tool, input["command"])
  const command = kind === "command" ? commandLineOf(input["command"]) ?? text(input["input"]) : null
  const patch = kind === "edit" ? text(given) ?? firstText(input, "patch", "input") : null
  const named = ["file_path", "path", "fileName", "paths"].flatMap((name) => texts(input[name]))
  return requestOf({
    tool,
    kind,
    command,
    paths: [...new Set([...named, ...patch === null ? patchPathsIn(command) : patchPaths(patch)])],
    url: text(input["url"]),
    agent: text(fields["agentId"]) === null && text(fields["parentAgentId"]) === null
      ? null
      : firstText(fields, "agentType", "agentName") ?? "subagent",
    cwd: text(fields["cwd"]) ?? ""
  })
}

/** What asks for one use of one tool; a way out of the sandbox and what an extension wants are more than that. */
const asksForOne = /\bDo you want to (?:run this command|use this tool|allow this access|(?:create|delete|edit|move and update|update|write|modify) [^\n]*)\?$/

/** How GitHub Copilot CLI asks for leave, and takes an answer. */
export const copilotPermissions: PermissionProtocol = answering({
  answers,
  read,
  plainYes: (dialog) =>
    dialog.kind === "permission" && asksForOne.test(dialog.title) && !/\bsandbox\b/i.test(dialog.title)
      ? onlyOption(dialog, ({ label }) => label === "Yes")
      : null
})
