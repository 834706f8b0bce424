import { hasOption, onlyYes } from "../../cli/provider/PermissionAnswers.ts"
import { commandLineOf, firstText, patchPaths, patchPathsIn } from "../../cli/provider/RequestReading.ts"
import { named, permissionsBy } from "../../cli/provider/PermissionTable.ts"
import { nonEmptyOf as text } from "../../words/reading/Fields.ts"

/** Titles of dialogs for one use of one tool. Leaving the sandbox, or an extension's request, is more than that. */
const singleUseTitle = new RegExp(
  String.raw`\bDo you want to (?:run this command|use this tool|allow this access|` +
    String.raw`(?:create|delete|edit|move and update|update|write|modify) [^\n]*)\?$`
)

/**
 * preToolUse comes before every tool, permissionRequest only before a question. Both can allow. leap allows only in the
 * second, so that Copilot's own checks (rules, sandbox, trusted paths) come first.
 */
export const copilotPermissions = permissionsBy({
  answers: {
    permissionRequest: { allow: () => ({ behavior: "allow" }), deny: (message) => ({ behavior: "deny", message }) },
    preToolUse: { deny: (why) => ({ permissionDecision: "deny", permissionDecisionReason: why }) }
  },
  names: { tool: "toolName", inputs: ["toolArgs", "toolInput"] },
  tools: {
    command: "bash shell powershell write_bash write_powershell",
    read: "view read glob grep rg",
    edit: "edit create write apply_patch str_replace insert str_replace_editor",
    fetch: "web_fetch fetch url web_search",
    agent: "task",
    question: "ask_user",
    plan: "exit_plan_mode"
  },
  // An MCP tool is named after its server and the tool, joined by a hyphen; Copilot's own have no hyphen.
  kindOf: ({ input, tool }) =>
    tool === "str_replace_editor" && input["command"] === "view" ? "read" : tool.includes("-") ? "mcp" : null,
  command: ({ input }) => commandLineOf(input["command"]) ?? text(input["input"]),
  paths: ({ command, given, input, kind }) => {
    const patch = kind === "edit" ? (text(given) ?? firstText(input, "patch", "input")) : null
    const patched = patch === null ? patchPathsIn(command) : patchPaths(patch)
    return [...new Set([...named(input, "file_path path fileName paths"), ...patched])]
  },
  globs: { glob: "pattern", grep: "glob", rg: "glob" },
  more: ({ fields }) => ({
    agent:
      firstText(fields, "agentId", "parentAgentId") === null
        ? null
        : (firstText(fields, "agentType", "agentName") ?? "subagent")
  }),
  inert: {
    "*": "description diff shellId sessionId old_str new_str file_text insert_text content",
    grep: "pattern",
    rg: "pattern",
    task: "prompt",
    web_search: "query",
    str_replace_editor: "command"
  },
  bare: "glob grep rg web_search",
  asksNobody: hasOption("--allow-all-tools", "--allow-all", "--yolo"),
  plainYes: onlyYes(/^Yes$/, ({ title }) => singleUseTitle.test(title) && !/\bsandbox\b/i.test(title))
})
