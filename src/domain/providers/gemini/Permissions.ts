import { hasOption, onlyYes } from "../../cli/provider/PermissionAnswers.ts"
import {
  commandLineOf,
  directoryOf,
  firstText,
  globsOf,
  patchPathsIn,
  texts
} from "../../cli/provider/RequestReading.ts"
import { named, permissionsBy } from "../../cli/provider/PermissionTable.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"

/** The addresses in the instruction to the tool: Gemini CLI takes every word with `://` that parses as one. */
const addressesIn = (prompt: string): ReadonlyArray<string> => [
  ...new Set([
    ...(prompt.match(/\bhttps?:\/\/[^\s"'<>)\]]+/gi) ?? []),
    ...prompt.split(/\s+/).filter((word) => word.includes("://") && URL.canParse(word))
  ])
]
/** Hosts without a scheme, which the fetching model may still understand. */
const hostsIn = (prompt: string): ReadonlyArray<string> => [
  ...new Set(prompt.match(/(?<![\w@/.-])[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/[^\s"'<>)\]]*)?/g) ?? [])
]
const mostHosts = 50

export const geminiTools = {
  command: "run_shell_command",
  read: "read_file read_many_files list_directory glob grep_search search_file_content",
  edit: "write_file replace edit",
  fetch: "web_fetch google_web_search",
  agent: "invoke_agent",
  question: "ask_user",
  plan: "exit_plan_mode",
  mcp: "list_mcp_resources read_mcp_resource"
}

/**
 * BeforeTool comes before every tool and can refuse it. No hook can allow: an `allow` there does not prevent the
 * dialog. An `ask` there would make Gemini CLI ask even for what its own policies deny, so it is not used. Notification
 * reports the same requests again, without the tools' names.
 */
export const geminiPermissions = permissionsBy({
  answers: { BeforeTool: { deny: (reason) => ({ decision: "deny", reason }) } },
  tools: geminiTools,
  kindOf: ({ fields, tool }, known) =>
    known === null && (tool.startsWith("mcp_") || Object.keys(fieldsOf(fields["mcp_context"])).length > 0)
      ? "mcp"
      : null,
  command: ({ input }) => commandLineOf(input["command"]),
  paths: ({ command, input, kind }) =>
    kind === "command" ? patchPathsIn(command) : named(input, "file_path absolute_path dir_path path paths include"),
  more: ({ fields, input, kind, tool }) => {
    const prompt = kind === "fetch" ? (text(input["prompt"]) ?? "") : ""
    const [url = null, ...urls] = [...texts(input["url"]), ...addressesIn(prompt)]
    const hosts = hostsIn(prompt).slice(0, mostHosts)
    return {
      ...(kind === "read" && tool !== "read_many_files"
        ? globsOf(text(input[tool === "glob" ? "pattern" : "include_pattern"]))
        : {}),
      url,
      ...(urls.length === 0 ? {} : { urls }),
      ...(hosts.length === 0 ? {} : { carried: hosts.map((text) => ({ name: "prompt", text })) }),
      cwd: directoryOf(text(fields["cwd"]) ?? "", kind === "command" ? firstText(input, "dir_path", "directory") : null)
    }
  },
  inert: {
    "*": "description content instruction old_string new_string query",
    web_fetch: "prompt",
    grep_search: "pattern",
    search_file_content: "pattern"
  },
  bare: "list_directory glob grep_search search_file_content google_web_search",
  asksNobody: hasOption("--yolo", "-y", "--approval-mode yolo"),
  plainYes: onlyYes(/^Allow once$/)
})
