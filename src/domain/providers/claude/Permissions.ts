import { onlyYes, permissionAnswers, preToolUseAnswer } from "../../cli/provider/PermissionAnswers.ts"
import { permissionsBy, usualAgent } from "../../cli/provider/PermissionTable.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"

/**
 * PermissionRequest comes with the dialog. In its automatic modes Claude Code rarely asks; there PreToolUse, which
 * comes before every tool, carries the deny and ask rules. Elicitations are read and never answered.
 */
export const claudePermissions = permissionsBy({
  answers: {
    PermissionRequest: permissionAnswers,
    PreToolUse: { ask: preToolUseAnswer("ask"), deny: preToolUseAnswer("deny") },
    Elicitation: {}
  },
  tools: {
    command: "Bash Monitor PowerShell",
    edit: "Edit MultiEdit Write NotebookEdit",
    read: "Read NotebookRead Glob Grep LS",
    fetch: "WebFetch WebSearch",
    agent: "Agent Task",
    question: "AskUserQuestion",
    plan: "EnterPlanMode ExitPlanMode"
  },
  find: (event, { mcp_server_name: server, tool_input: given, tool_name: tool }) =>
    event === "Elicitation" ? { tool: text(server) ?? "an MCP server", given: null } : { tool, given },
  kindOf: ({ event, tool }) => (event === "Elicitation" ? "elicitation" : tool.startsWith("mcp__") ? "mcp" : null),
  argumentsOf: fieldsOf,
  paths: ({ input }) => ["file_path", "notebook_path", "path"].flatMap((name) => text(input[name]) ?? []),
  globs: { Glob: "pattern", Grep: "glob" },
  more: ({ fields }) => ({ agent: usualAgent(fields) }),
  inert: {
    "*": "description prompt content old_string new_string new_source query",
    Grep: "pattern -A -B -C",
    Read: "pages",
    NotebookEdit: "cell_id"
  },
  bare: "Glob Grep LS WebSearch",
  plainYes: onlyYes(/^Yes$/)
})
