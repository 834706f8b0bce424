import type { PermissionProtocol } from "../PermissionProtocol.ts"
import { answering, type Answers, onlyOption } from "../policy/PermissionAnswers.ts"
import { argumentsOf, commandLineOf, fieldsOf, firstText, patchPaths, patchPathsIn, requestOf, text, texts } from "../policy/RequestReading.ts"
import type { ToolRequest } from "../policy/ToolRequest.ts"

const hookAnswer = (hookEventName: string, specific: object) => ({ hookSpecificOutput: { hookEventName, ...specific } })

/*
 * PermissionRequest comes where Codex would ask, also where an automatic reviewer is to answer; PreToolUse before every
 * tool, and takes nothing but a refusal.
 */
const answers: Answers = {
  PermissionRequest: {
    allow: () => hookAnswer("PermissionRequest", { decision: { behavior: "allow" } }),
    deny: (message) => hookAnswer("PermissionRequest", { decision: { behavior: "deny", message } })
  },
  PreToolUse: { deny: (why) => hookAnswer("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: why }) }
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  Bash: "command", exec_command: "command", local_shell: "command", shell: "command", shell_command: "command", write_stdin: "command",
  apply_patch: "edit", view_image: "read", web_search: "fetch",
  request_user_input: "question", request_user_input_async: "question"
}

const kindOf = (tool: string): ToolRequest["kind"] =>
  Object.hasOwn(kinds, tool)
    ? kinds[tool] ?? "other"
    : tool.startsWith("mcp__")
    ? "mcp"
    : /spawn_agent$/.test(tool)
    ? "agent"
    : "other"

/** It asks for wider permissions for itself, for the turn or for good: no single use is granted by it. */
const widening = "request_permissions"

const read = (_event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["tool_name"])
  if (tool === null) return null
  const kind = kindOf(tool)
  const given = fields["tool_input"]
  const input = argumentsOf(given)
  const command = kind === "command" ? commandLineOf(input["command"]) ?? firstText(input, "cmd", "chars") : null
  const patch = kind === "edit" ? texts(input["command"] ?? input["input"] ?? given).join("\n") : null
  return requestOf({
    tool,
    kind,
    command,
    paths: patch !== null ? patchPaths(patch) : [...patchPathsIn(command), ...texts(input["path"]), ...texts(input["file_path"])],
    url: text(input["url"]),
    agent: text(fields["agent_id"]) === null ? null : text(fields["agent_type"]) ?? "subagent",
    cwd: text(fields["cwd"]) ?? ""
  })
}

/** How Codex asks for leave, and takes an answer. */
export const codexPermissions: PermissionProtocol = answering({
  answers,
  read,
  widens: ({ tool }) => tool === widening,
  plainYes: (dialog) => dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => /^Yes, (?:proceed|just this once) \(y\)$/.test(label)) : null
})
