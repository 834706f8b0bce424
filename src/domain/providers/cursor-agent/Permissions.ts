import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { type HookAnswers, hookPermissions, onlyOption } from "../../cli/provider/PermissionAnswers.ts"
import {
  argumentsOf,
  commandLineOf,
  globsOf,
  patchPathsIn,
  requestOf,
  texts
} from "../../cli/provider/RequestReading.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { RequestShape } from "../../cli/provider/RequestRemainder.ts"

/*
 * From the product's documentation of its hooks ("Hooks", cursor.com/docs/hooks), not verified against the program.
 * Each of these may answer `permission` allow, deny or ask, with a message for the user and one for the agent.
 * preToolUse comes before every tool, the other two before a shell command and before a server's tool, whether the user
 * would be asked or not.
 */
const deny = (message: string) => ({ permission: "deny", user_message: message, agent_message: message })
const allow = () => ({ permission: "allow" })
const answers: HookAnswers = {
  beforeShellExecution: { allow, deny },
  beforeMCPExecution: { allow, deny },
  preToolUse: { deny }
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  Shell: "command",
  Read: "read",
  Grep: "read",
  Glob: "read",
  LS: "read",
  SemanticSearch: "read",
  ReadLints: "read",
  Write: "edit",
  Edit: "edit",
  StrReplace: "edit",
  Delete: "edit",
  EditNotebook: "edit",
  ApplyPatch: "edit",
  WebFetch: "fetch",
  WebSearch: "fetch",
  Task: "agent",
  AskQuestion: "question",
  CreatePlan: "plan",
  SwitchMode: "plan"
}

const kindOf = (event: string, tool: string): ToolRequest["kind"] => {
  if (event === "beforeShellExecution") return "command"
  if (event === "beforeMCPExecution" || /^MCP\b/.test(tool)) return "mcp"
  return Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : "other"
}

const shape: RequestShape = {
  // for a shell command the payload itself is the argument
  inputs: (event, payload) => {
    const fields = fieldsOf(payload)
    return [event === "beforeShellExecution" ? { command: fields["command"] } : undefined, fields["tool_input"]]
  },
  // a server's tool comes with the command that starts the server, or with its address
  envelope: (event) =>
    event === "beforeMCPExecution"
      ? ["tool_name", "tool_input", "command", "url"]
      : event === "beforeShellExecution"
        ? ["tool_name", "command"]
        : ["tool_name", "tool_input"],
  inert: {
    "*": [
      "description",
      "explanation",
      "content",
      "contents",
      "code_edit",
      "instructions",
      "old_string",
      "new_string",
      "query",
      "search_term"
    ],
    Grep: ["pattern"]
  },
  bare: ["Grep", "Glob", "LS", "SemanticSearch", "ReadLints", "WebSearch", "ApplyPatch"]
}

const read = (event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["tool_name"]) ?? (event === "beforeShellExecution" ? "Shell" : null)
  if (tool === null) return null
  const kind = kindOf(event, tool)
  const input = argumentsOf(fields["tool_input"])
  // For an MCP server's tool, `command` is the command that starts the server.
  const command =
    kind === "command" ? commandLineOf(event === "preToolUse" ? input["command"] : fields["command"]) : null
  const namedPaths =
    kind === "mcp"
      ? []
      : ["file_path", "path", "target_file", "target_directory", "target_notebook", "paths"].flatMap((name) =>
          texts(input[name])
        )
  return requestOf({
    tool,
    kind,
    command,
    paths: [...namedPaths, ...patchPathsIn(command)],
    ...(kind === "read" ? globsOf(input["glob"], input["glob_pattern"]) : {}),
    url: kind === "mcp" ? null : text(input["url"]),
    cwd: text(fields["cwd"]) ?? text(input["working_directory"]) ?? texts(fields["workspace_roots"])[0] ?? ""
  })
}

/** How Cursor Agent requests permissions and takes an answer. */
export const cursorAgentPermissions: PermissionProtocol = hookPermissions({
  answers,
  read,
  shape,
  plainYes: (dialog) =>
    dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => /^Run \(once\) \(y\)/.test(label)) : null
})
