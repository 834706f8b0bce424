import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { type HookAnswers, hasOption, hookPermissions, onlyOption } from "../../cli/provider/PermissionAnswers.ts"
import {
  argumentsOf,
  commandLineOf,
  directoryOf,
  globsOf,
  patchPathsIn,
  requestOf,
  texts
} from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { RequestShape } from "../../cli/provider/RequestRemainder.ts"

/*
 * BeforeTool comes before every tool and can refuse it. No hook can allow: an `allow` there does not prevent the
 * dialog. An `ask` there would make Gemini CLI ask even for what its own policies deny, so it is not used. Notification
 * reports the same requests again, without the tools' names.
 */
const answers: HookAnswers = { BeforeTool: { deny: (reason) => ({ decision: "deny", reason }) } }

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  run_shell_command: "command",
  read_file: "read",
  read_many_files: "read",
  list_directory: "read",
  glob: "read",
  grep_search: "read",
  search_file_content: "read",
  write_file: "edit",
  replace: "edit",
  edit: "edit",
  web_fetch: "fetch",
  google_web_search: "fetch",
  invoke_agent: "agent",
  ask_user: "question",
  exit_plan_mode: "plan",
  list_mcp_resources: "mcp",
  read_mcp_resource: "mcp"
}

/** The addresses in the instruction to the tool: Gemini CLI takes every word with a `://` that can be read as one. */
const addressesIn = (prompt: string): ReadonlyArray<string> => [
  ...new Set([
    ...(prompt.match(/\bhttps?:\/\/[^\s"'<>)\]]+/gi) ?? []),
    ...prompt.split(/\s+/).filter((word) => word.includes("://") && URL.canParse(word))
  ])
]
/** A host without its scheme, which the model that does the fetching may still understand. */
const hostsIn = (prompt: string): ReadonlyArray<string> => [
  ...new Set(prompt.match(/(?<![\w@/.-])[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/[^\s"'<>)\]]*)?/g) ?? [])
]
const mostHosts = 50

const shape: RequestShape = {
  inputs: (_event, payload) => [fieldsOf(payload)["tool_input"]],
  envelope: () => ["tool_name", "tool_input"],
  inert: {
    "*": ["description", "content", "instruction", "old_string", "new_string", "query"],
    web_fetch: ["prompt"],
    grep_search: ["pattern"],
    search_file_content: ["pattern"]
  },
  bare: ["list_directory", "glob", "grep_search", "search_file_content", "google_web_search"]
}

/** The patterns of files that its searches take. */
const globsIn = (tool: string, input: Fields) =>
  tool === "glob"
    ? globsOf(text(input["pattern"]))
    : tool === "read_many_files"
      ? {}
      : globsOf(text(input["include_pattern"]))

const read = (_event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["tool_name"])
  if (tool === null) return null
  const input = argumentsOf(fields["tool_input"])
  const kind = Object.hasOwn(kinds, tool)
    ? (kinds[tool] ?? "other")
    : tool.startsWith("mcp_") || Object.keys(fieldsOf(fields["mcp_context"])).length > 0
      ? "mcp"
      : "other"
  const command = kind === "command" ? commandLineOf(input["command"]) : null
  const namedPaths = ["file_path", "absolute_path", "dir_path", "path", "paths", "include"].flatMap((name) =>
    texts(input[name])
  )
  const prompt = kind === "fetch" ? (text(input["prompt"]) ?? "") : ""
  const [url = null, ...urls] = [...texts(input["url"]), ...addressesIn(prompt)]
  const hosts = hostsIn(prompt).slice(0, mostHosts)
  return requestOf({
    tool,
    kind,
    command,
    paths: kind === "command" ? patchPathsIn(command) : namedPaths,
    ...(kind === "read" ? globsIn(tool, input) : {}),
    url,
    ...(urls.length === 0 ? {} : { urls }),
    ...(hosts.length === 0 ? {} : { carried: hosts.map((text) => ({ name: "prompt", text })) }),
    cwd: directoryOf(
      text(fields["cwd"]) ?? "",
      kind === "command" ? (text(input["dir_path"]) ?? text(input["directory"])) : null
    )
  })
}

/** How Gemini CLI requests permissions and takes an answer. */
export const geminiPermissions: PermissionProtocol = hookPermissions({
  answers,
  asksNobody: hasOption("--yolo", "-y", "--approval-mode yolo"),
  read,
  shape,
  plainYes: (dialog) =>
    dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => label === "Allow once") : null
})
