import type { RecordedPlace } from "../../cli/provider/PermissionProtocol.ts"
import { hasOption, onlyYes, permissionAnswers, preToolUseAnswer } from "../../cli/provider/PermissionAnswers.ts"
import {
  argumentsOf,
  commandLineOf,
  directoryOf,
  firstText,
  patchPaths,
  patchPathsIn,
  texts
} from "../../cli/provider/RequestReading.ts"
import { named, permissionsBy, usualAgent } from "../../cli/provider/PermissionTable.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"

/** The tool that requests wider permissions for the turn or permanently: more than a single use. */
const wideningTool = "request_permissions"

/**
 * The directory of a command. Up to 0.130 a request names the session's even if the command runs elsewhere; the rollout
 * records the call before its hook. 0.169 names the command's, even for a script's calls, which have no record.
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

/** PermissionRequest comes when Codex or its reviewer would ask; PreToolUse, before every tool, can only refuse. */
export const codexPermissions = permissionsBy({
  answers: { PermissionRequest: permissionAnswers, PreToolUse: { deny: preToolUseAnswer("deny") } },
  tools: {
    command: "Bash exec_command local_shell shell shell_command write_stdin",
    edit: "apply_patch",
    read: "view_image",
    fetch: "web_search",
    question: "request_user_input request_user_input_async"
  },
  kindOf: ({ tool }) => (tool.startsWith("mcp__") ? "mcp" : /spawn_agent$/.test(tool) ? "agent" : null),
  command: ({ input }) => commandLineOf(input["command"]) ?? firstText(input, "cmd", "chars"),
  paths: ({ command, given, input, kind }) =>
    kind === "edit"
      ? patchPaths(texts(input["command"] ?? input["input"] ?? given).join("\n"))
      : [...patchPathsIn(command), ...named(input, "path file_path")],
  more: ({ fields, input, kind }) => ({
    agent: usualAgent(fields),
    ...(/^(?:bypassPermissions|dontAsk)$/.test(text(fields["permission_mode"]) ?? "") ? { unasked: true } : {}),
    cwd: directoryOf(text(fields["cwd"]) ?? "", kind === "command" ? text(input["workdir"]) : null)
  }),
  inert: { "*": "description justification message query" },
  bare: "web_search",
  asksNobody: hasOption("--dangerously-bypass-approvals-and-sandbox", "--yolo"),
  place,
  widens: ({ tool }) => tool === wideningTool,
  plainYes: onlyYes(/^Yes, (?:proceed|just this once) \(y\)$/)
})
