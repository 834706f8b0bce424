import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { type HookAnswers, hasOption, hookPermissions, onlyOption } from "../../cli/provider/PermissionAnswers.ts"
import {
  argumentsOf,
  commandLineOf,
  firstText,
  globsOf,
  patchPaths,
  patchPathsIn,
  requestOf,
  texts
} from "../../cli/provider/RequestReading.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { RequestShape } from "../../cli/provider/RequestRemainder.ts"

/*
 * preToolUse comes before every tool, permissionRequest only where Copilot would ask. Either could allow. Only the
 * second may do so here, so that Copilot's other checks (its own rules, its sandbox, its trusted paths) come first.
 */
const answers: HookAnswers = {
  permissionRequest: { allow: () => ({ behavior: "allow" }), deny: (message) => ({ behavior: "deny", message }) },
  preToolUse: { deny: (why) => ({ permissionDecision: "deny", permissionDecisionReason: why }) }
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  bash: "command",
  shell: "command",
  powershell: "command",
  write_bash: "command",
  write_powershell: "command",
  view: "read",
  read: "read",
  glob: "read",
  grep: "read",
  rg: "read",
  edit: "edit",
  create: "edit",
  write: "edit",
  apply_patch: "edit",
  str_replace: "edit",
  insert: "edit",
  str_replace_editor: "edit",
  web_fetch: "fetch",
  fetch: "fetch",
  url: "fetch",
  web_search: "fetch",
  task: "agent",
  ask_user: "question",
  exit_plan_mode: "plan"
}

/**
 * A tool of an MCP server is named after the server and the tool, joined by a hyphen; Copilot's own tools have no
 * hyphen.
 */
const kindOf = (tool: string, command: unknown): ToolRequest["kind"] => {
  if (tool === "str_replace_editor" && command === "view") return "read"
  return Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : tool.includes("-") ? "mcp" : "other"
}

const shape: RequestShape = {
  inputs: (_event, payload) => [fieldsOf(payload)["toolArgs"], fieldsOf(payload)["toolInput"]],
  envelope: () => ["toolName", "toolArgs", "toolInput"],
  inert: {
    "*": ["description", "diff", "shellId", "sessionId", "old_str", "new_str", "file_text", "insert_text", "content"],
    grep: ["pattern"],
    rg: ["pattern"],
    task: ["prompt"],
    web_search: ["query"],
    str_replace_editor: ["command"]
  },
  bare: ["glob", "grep", "rg", "web_search"]
}

const read = (_event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["toolName"])
  if (tool === null) return null
  const toolInput = fields["toolArgs"] ?? fields["toolInput"]
  const input = argumentsOf(toolInput)
  const kind = kindOf(tool, input["command"])
  const command = kind === "command" ? (commandLineOf(input["command"]) ?? text(input["input"])) : null
  const patch = kind === "edit" ? (text(toolInput) ?? firstText(input, "patch", "input")) : null
  const namedPaths = ["file_path", "path", "fileName", "paths"].flatMap((name) => texts(input[name]))
  return requestOf({
    tool,
    kind,
    command,
    paths: [...new Set([...namedPaths, ...(patch === null ? patchPathsIn(command) : patchPaths(patch))])],
    ...(tool === "glob"
      ? globsOf(text(input["pattern"]))
      : tool === "grep" || tool === "rg"
        ? globsOf(text(input["glob"]))
        : {}),
    url: text(input["url"]),
    agent:
      text(fields["agentId"]) === null && text(fields["parentAgentId"]) === null
        ? null
        : (firstText(fields, "agentType", "agentName") ?? "subagent"),
    cwd: text(fields["cwd"]) ?? ""
  })
}

/**
 * The titles of dialogs that request a single use of one tool. Leaving the sandbox, or a request of an extension, is
 * more than that.
 */
const singleUseTitle = new RegExp(
  String.raw`\bDo you want to (?:run this command|use this tool|allow this access|` +
    String.raw`(?:create|delete|edit|move and update|update|write|modify) [^\n]*)\?$`
)

/** How GitHub Copilot CLI requests permissions and takes an answer. */
export const copilotPermissions: PermissionProtocol = hookPermissions({
  answers,
  asksNobody: hasOption("--allow-all-tools", "--allow-all", "--yolo"),
  read,
  shape,
  plainYes: (dialog) =>
    dialog.kind === "permission" && singleUseTitle.test(dialog.title) && !/\bsandbox\b/i.test(dialog.title)
      ? onlyOption(dialog, ({ label }) => label === "Yes")
      : null
})
