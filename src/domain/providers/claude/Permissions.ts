import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import {
  type HookAnswers,
  hookOutput,
  hookPermissions,
  onlyYes,
  permissionAnswers
} from "../../cli/provider/PermissionAnswers.ts"
import { requestOf } from "../../cli/provider/RequestReading.ts"
import { readingBy, usualAgent } from "../../cli/provider/RequestTable.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"

const preToolUseAnswer = (permissionDecision: "ask" | "deny") => (permissionDecisionReason: string) =>
  hookOutput("PreToolUse", { permissionDecision, permissionDecisionReason })

/*
 * PermissionRequest comes with the dialog. In its automatic modes Claude Code rarely asks; there PreToolUse, which
 * comes before every tool, carries the deny and ask rules. Elicitations are read and never answered.
 */
const answers: HookAnswers = {
  PermissionRequest: permissionAnswers,
  PreToolUse: { ask: preToolUseAnswer("ask"), deny: preToolUseAnswer("deny") },
  Elicitation: {}
}

const { read, shape } = readingBy({
  tools: {
    command: "Bash Monitor PowerShell",
    edit: "Edit MultiEdit Write NotebookEdit",
    read: "Read NotebookRead Glob Grep LS",
    fetch: "WebFetch WebSearch",
    agent: "Agent Task",
    question: "AskUserQuestion",
    plan: "EnterPlanMode ExitPlanMode"
  },
  kindOf: ({ tool }) => (tool.startsWith("mcp__") ? "mcp" : null),
  argumentsOf: fieldsOf,
  command: ({ input }) => text(input["command"]),
  paths: ({ input }) => ["file_path", "notebook_path", "path"].flatMap((name) => text(input[name]) ?? []),
  globs: { Glob: "pattern", Grep: "glob" },
  more: ({ fields }) => ({ agent: usualAgent(fields) }),
  inert: {
    "*": "description prompt content old_string new_string new_source query",
    Grep: "pattern -A -B -C",
    Read: "pages",
    NotebookEdit: "cell_id"
  },
  bare: "Glob Grep LS WebSearch"
})

export const claudePermissions: PermissionProtocol = hookPermissions({
  answers,
  read: (event, payload) => {
    if (event !== "Elicitation") return read(event, payload)
    const fields = fieldsOf(payload)
    const tool = text(fields["mcp_server_name"]) ?? "an MCP server"
    return requestOf({ tool, kind: "elicitation", agent: usualAgent(fields), cwd: text(fields["cwd"]) ?? "" })
  },
  shape,
  plainYes: onlyYes(/^Yes$/)
})
