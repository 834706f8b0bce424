import type { PermissionProtocol, RecordedPlace } from "../../cli/provider/PermissionProtocol.ts"
import { type HookAnswers, hasOption, hookPermissions, onlyOption } from "../../cli/provider/PermissionAnswers.ts"
import {
  argumentsOf,
  commandLineOf,
  directoryOf,
  firstText,
  patchPaths,
  patchPathsIn,
  requestOf,
  texts
} from "../../cli/provider/RequestReading.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { RequestShape } from "../../cli/provider/RequestRemainder.ts"

const hookAnswer = (hookEventName: string, specific: object) => ({ hookSpecificOutput: { hookEventName, ...specific } })

/*
 * PermissionRequest comes where Codex would ask, also where an automatic reviewer is to answer. PreToolUse comes before
 * every tool, and accepts only a refusal.
 */
const answers: HookAnswers = {
  PermissionRequest: {
    allow: () => hookAnswer("PermissionRequest", { decision: { behavior: "allow" } }),
    deny: (message) => hookAnswer("PermissionRequest", { decision: { behavior: "deny", message } })
  },
  PreToolUse: { deny: (why) => hookAnswer("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: why }) }
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  Bash: "command",
  exec_command: "command",
  local_shell: "command",
  shell: "command",
  shell_command: "command",
  write_stdin: "command",
  apply_patch: "edit",
  view_image: "read",
  web_search: "fetch",
  request_user_input: "question",
  request_user_input_async: "question"
}

const kindOf = (tool: string): ToolRequest["kind"] =>
  Object.hasOwn(kinds, tool)
    ? (kinds[tool] ?? "other")
    : tool.startsWith("mcp__")
      ? "mcp"
      : /spawn_agent$/.test(tool)
        ? "agent"
        : "other"

/**
 * The tool by which the model requests wider permissions, for the turn or permanently. Granting it would not be a grant
 * of a single use.
 */
const wideningTool = "request_permissions"

const shape: RequestShape = {
  inputs: (_event, payload) => [fieldsOf(payload)["tool_input"]],
  envelope: () => ["tool_name", "tool_input"],
  inert: { "*": ["description", "justification", "message", "query"] },
  bare: ["web_search"]
}

const read = (_event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["tool_name"])
  if (tool === null) return null
  const kind = kindOf(tool)
  const toolInput = fields["tool_input"]
  const input = argumentsOf(toolInput)
  const command = kind === "command" ? (commandLineOf(input["command"]) ?? firstText(input, "cmd", "chars")) : null
  const cwd = text(fields["cwd"]) ?? ""
  const patch = kind === "edit" ? texts(input["command"] ?? input["input"] ?? toolInput).join("\n") : null
  return requestOf({
    tool,
    kind,
    command,
    paths:
      patch !== null
        ? patchPaths(patch)
        : [...patchPathsIn(command), ...texts(input["path"]), ...texts(input["file_path"])],
    url: text(input["url"]),
    agent: text(fields["agent_id"]) === null ? null : (text(fields["agent_type"]) ?? "subagent"),
    ...(/^(?:bypassPermissions|dontAsk)$/.test(text(fields["permission_mode"]) ?? "") ? { unasked: true } : {}),
    cwd: directoryOf(cwd, kind === "command" ? text(input["workdir"]) : null)
  })
}

/**
 * Up to 0.130 a request names the session's directory, wherever its command runs; the rollout has the call, before its
 * hook is called. 0.169 names the command's own, also of what a script calls, which has no record of its own.
 */
const place = (_event: string, payload: unknown): RecordedPlace | null => {
  const { cwd, tool_input, tool_name, tool_use_id: id, transcript_path } = fieldsOf(payload)
  const file = text(transcript_path)
  if (file === null || tool_name !== "Bash" || (typeof id === "string" && id.startsWith("exec-"))) return null
  const line = commandLineOf(argumentsOf(tool_input)["command"])
  return {
    file,
    sure: text(id) !== null,
    mark: "_call",
    directoryIn: (records) => {
      for (const record of records.toReversed()) {
        const { action, arguments: given, call_id, type } = fieldsOf(fieldsOf(record)["payload"])
        if (!/_call$/.test(String(type))) continue
        const input = { ...argumentsOf(given), ...fieldsOf(action) }
        const command = commandLineOf(input["command"]) ?? text(input["cmd"])
        if (text(id) === null ? command !== line : call_id !== id) continue
        const [here, own] = [text(cwd) ?? "", firstText(input, "workdir", "working_directory")]
        return own === null || `${here}/`.endsWith(`/${own}/`) ? here : directoryOf(here, own)
      }
      return null
    }
  }
}

/** How Codex requests permissions and takes an answer. */
export const codexPermissions: PermissionProtocol = hookPermissions({
  answers,
  asksNobody: hasOption("--dangerously-bypass-approvals-and-sandbox", "--yolo"),
  place,
  read,
  shape,
  widens: ({ tool }) => tool === wideningTool,
  plainYes: (dialog) =>
    dialog.kind === "permission"
      ? onlyOption(dialog, ({ label }) => /^Yes, (?:proceed|just this once) \(y\)$/.test(label))
      : null
})
