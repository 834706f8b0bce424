import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { hookPermissions, onlyOption } from "../../cli/provider/PermissionAnswers.ts"
import { requestOf } from "../../cli/provider/RequestReading.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { RequestShape } from "../../cli/provider/RequestRemainder.ts"

const hookAnswer = (decision: object) => ({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision }
})

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = { Write: "edit", Shell: "command", Ask: "question" }

const read = (_event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["tool_name"])
  if (tool === null) return null
  const kind = Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : "other"
  const input = fieldsOf(fields["tool_input"])
  const file = text(input["file_path"])
  return requestOf({
    tool,
    kind,
    command: text(input["command"]),
    paths: file === null ? [] : [file],
    cwd: text(fields["cwd"]) ?? ""
  })
}

const shape: RequestShape = {
  inputs: (_event, payload) => [fieldsOf(payload)["tool_input"]],
  envelope: () => ["tool_name", "tool_input"],
  inert: { "*": ["content", "description"] },
  bare: []
}

/** How the bundled demo CLI requests permissions and takes an answer. */
export const demoPermissions: PermissionProtocol = hookPermissions({
  answers: {
    PermissionRequest: {
      allow: () => hookAnswer({ behavior: "allow" }),
      deny: (message) => hookAnswer({ behavior: "deny", message })
    }
  },
  read,
  shape,
  plainYes: (dialog) => (dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => label === "Yes") : null)
})
