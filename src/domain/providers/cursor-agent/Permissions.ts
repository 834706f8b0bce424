import { onlyYes } from "../../cli/provider/PermissionAnswers.ts"
import { commandLineOf, globsOf, patchPathsIn, texts } from "../../cli/provider/RequestReading.ts"
import { named, permissionsBy } from "../../cli/provider/PermissionTable.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"

const deny = (message: string) => ({ permission: "deny", user_message: message, agent_message: message })
const allow = () => ({ permission: "allow" })

/**
 * From the product's documentation of its hooks ("Hooks", cursor.com/docs/hooks), not verified against the program.
 * Each may answer `permission` allow, deny or ask, with a message for the user and one for the agent. preToolUse comes
 * before every tool, the other two before a shell command and before a server's tool, whether the user would be asked
 * or not.
 */
export const cursorAgentPermissions = permissionsBy({
  answers: { beforeShellExecution: { allow, deny }, beforeMCPExecution: { allow, deny }, preToolUse: { deny } },
  tools: {
    command: "Shell",
    read: "Read Grep Glob LS SemanticSearch ReadLints",
    edit: "Write Edit StrReplace Delete EditNotebook ApplyPatch",
    fetch: "WebFetch WebSearch",
    agent: "Task",
    question: "AskQuestion",
    plan: "CreatePlan SwitchMode"
  },
  find: (event, { tool_input: given, tool_name: name }) => ({
    tool: text(name) ?? (event === "beforeShellExecution" ? "Shell" : null),
    given
  }),
  kindOf: ({ event, tool }) =>
    event === "beforeShellExecution" ? "command" : event === "beforeMCPExecution" || /^MCP\b/.test(tool) ? "mcp" : null,
  command: ({ event, fields, input }) => commandLineOf((event === "preToolUse" ? input : fields)["command"]),
  paths: ({ command, input, kind }) => [
    ...(kind === "mcp" ? [] : named(input, "file_path path target_file target_directory target_notebook paths")),
    ...patchPathsIn(command)
  ],
  more: ({ fields, input, kind }) => ({
    ...(kind === "read" ? globsOf(input["glob"], input["glob_pattern"]) : {}),
    ...(kind === "mcp" ? { url: null } : {}),
    cwd: text(fields["cwd"]) ?? text(input["working_directory"]) ?? texts(fields["workspace_roots"])[0] ?? ""
  }),
  inert: {
    "*": "description explanation content contents code_edit instructions old_string new_string query search_term",
    Grep: "pattern"
  },
  bare: "Grep Glob LS SemanticSearch ReadLints WebSearch ApplyPatch",
  shape: {
    // For a shell command the payload itself is the argument.
    inputs: (event, payload) => {
      const { command, tool_input: input } = fieldsOf(payload)
      return [event === "beforeShellExecution" ? { command } : undefined, input]
    },
    // The payload of a server's tool includes the command that starts the server, or its address.
    envelope: (event) =>
      event === "beforeMCPExecution"
        ? ["tool_name", "tool_input", "command", "url"]
        : ["tool_name", event === "beforeShellExecution" ? "command" : "tool_input"]
  },
  plainYes: onlyYes(/^Run \(once\) \(y\)/)
})
