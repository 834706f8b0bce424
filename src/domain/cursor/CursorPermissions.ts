import type { PermissionProtocol } from "../PermissionProtocol.ts"
import { answering, type Answers, onlyOption } from "../policy/PermissionAnswers.ts"
import { argumentsOf, commandLineOf, fieldsOf, patchPathsIn, requestOf, text, texts } from "../policy/RequestReading.ts"
import type { ToolRequest } from "../policy/ToolRequest.ts"

/*
 * After the product's documentation of its hooks ("Hooks", cursor.com/docs/hooks), unverified against the program: each of
 * these may answer `permission` allow, deny or ask with a message for the user and one for the agent; preToolUse comes
 * before every tool, the other two before a shell command and a server's tool, whether the user would be asked or not.
 */
const deny = (message: string) => ({ permission: "deny", user_message: message, agent_message: message })
const allow = () => ({ permission: "allow" })
const answers: Answers = { beforeShellExecution: { allow, deny }, beforeMCPExecution: { allow, deny }, preToolUse: { deny } }

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  Shell: "command",
  Read: "read", Grep: "read", Glob: "read", LS: "read", SemanticSearch: "read", ReadLints: "read",
  Write: "edit", Edit: "edit", StrReplace: "edit", Delete: "edit", EditNotebook: "edit", ApplyPatch: "edit",
  WebFetch: "fetch", WebSearch: "fetch",
  Task: "agent",
  AskQuestion: "question", CreatePlan: "plan", SwitchMode: "plan"
}

const kindOf = (event: string, tool: string): ToolRequest["kind"] => {
  if (event === "beforeShellExecution") return "command"
  if (event === "beforeMCPExecution" || /^MCP\b/.test(tool)) return "mcp"
  return Object.hasOwn(kinds, tool) ? kinds[tool] ?? "other" : "other"
}

const read = (event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["tool_name"]) ?? (event === "beforeShellExecution" ? "Shell" : null)
  if (tool === null) return null
  const kind = kindOf(event, tool)
  const input = argumentsOf(fields["tool_input"])
  // The command of a server's tool is the one that starts the server.
  const command = kind === "command" ? commandLineOf(event === "preToolUse" ? input["command"] : fields["command"]) : null
  const named = kind === "mcp" ? [] : ["file_path", "path", "target_file", "target_directory", "paths"].flatMap((name) => texts(input[name]))
  return requestOf({
    tool,
    kind,
    command,
    paths: [...named, ...patchPathsIn(command)],
    url: kind === "mcp" ? null : text(input["url"]),
    cwd: text(fields["cwd"]) ?? text(input["working_directory"]) ?? texts(fields["workspace_roots"])[0] ?? ""
  })
}

/** How Cursor Agent asks for leave, and takes an answer. */
export const cursorPermissions: PermissionProtocol = answering({
  answers,
  read,
  plainYes: (dialog) => dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => /^Run \(once\) \(y\)/.test(label)) : null
})
