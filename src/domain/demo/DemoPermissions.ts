import type { PermissionProtocol } from "../PermissionProtocol.ts"
import { answering, onlyOption } from "../policy/PermissionAnswers.ts"
import { fieldsOf, requestOf, text } from "../policy/RequestReading.ts"
import type { ToolRequest } from "../policy/ToolRequest.ts"

const decision = (decided: object) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: decided } })

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = { Write: "edit", Shell: "command", Ask: "question" }

const read = (_event: string, payload: unknown): ToolRequest | null => {
  const fields = fieldsOf(payload)
  const tool = text(fields["tool_name"])
  if (tool === null) return null
  const kind = Object.hasOwn(kinds, tool) ? kinds[tool] ?? "other" : "other"
  const input = fieldsOf(fields["tool_input"])
  const file = text(input["file_path"])
  return requestOf({ tool, kind, command: text(input["command"]), paths: file === null ? [] : [file], cwd: text(fields["cwd"]) ?? "" })
}

/** How the bundled demo CLI asks for leave, and takes an answer. */
export const demoPermissions: PermissionProtocol = answering({
  answers: { PermissionRequest: { allow: () => decision({ behavior: "allow" }), deny: (message) => decision({ behavior: "deny", message }) } },
  read,
  plainYes: (dialog) => dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => label === "Yes") : null
})
