import type { PermissionProtocol } from "../PermissionProtocol.ts"
import { answering, type Answers, onlyOption } from "../policy/PermissionAnswers.ts"
import { argumentsOf, commandLineOf, fieldsOf, patchPathsIn, requestOf, text, texts } from "../policy/RequestReading.ts"
import type { ToolRequest } from "../policy/ToolRequest.ts"

/*
 * BeforeTool comes before every tool and can refuse it. No hook can allow: an `allow` there leaves the dialog as it is. An
 * `ask` there would make Gemini CLI ask even for what its own policies deny, so it is not used. Notification tells of the
 * same requests again, without the tools' names.
 */
const answers: Answers = { BeforeTool: { deny: (reason) => ({ decision: "deny", reason }) } }

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  run_shell_command: "command",
  read_file: "read", read_many_files: "read", list_directory: "read", glob: "read", grep_search: "read", search_file_content: "read",
  write_file: "edit", replace: "edit", edit: "edit",
  web_fetch: "fetch", google_web_search: "fetch",
  invoke_agent: "agent",
  ask_user: "question", exit_plan_mode: "plan",
  list_mcp_resources: "mcp", read_mcp_resource: "mcp"
}

/** The addresses stand in the instruction that the tool is given. */
const address = /\bhttps?:\/\/[^\s"'<>)\]]+/

const read = (_event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["tool_name"])
  if (tool === null) return null
  const input = argumentsOf(fields["tool_input"])
  const kind = Object.hasOwn(kinds, tool)
    ? kinds[tool] ?? "other"
    : tool.startsWith("mcp_") || Object.keys(fieldsOf(fields["mcp_context"])).length > 0
    ? "mcp"
    : "other"
  const command = kind === "command" ? commandLineOf(input["command"]) : null
  const named = ["file_path", "absolute_path", "dir_path", "path", "paths", "include"].flatMap((name) => texts(input[name]))
  return requestOf({
    tool,
    kind,
    command,
    paths: kind === "command" ? patchPathsIn(command) : named,
    url: text(input["url"]) ?? address.exec(text(input["prompt"]) ?? "")?.[0] ?? null,
    cwd: text(fields["cwd"]) ?? ""
  })
}

/** How Gemini CLI asks for leave, and takes an answer. */
export const geminiPermissions: PermissionProtocol = answering({
  answers,
  read,
  plainYes: (dialog) => dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => label === "Allow once") : null
})
