import { hookPermissions, onlyOption } from "../../../../src/domain/cli/provider/PermissionAnswers.ts"
import type { PermissionProtocol } from "../../../../src/domain/cli/provider/PermissionProtocol.ts"
import { fieldsOf } from "../../../../src/domain/words/reading/Fields.ts"
import { firstText, requestOf } from "../../../../src/domain/cli/provider/RequestReading.ts"

/** How Toy asks for leave: at one hook, for commands. */
export const toyPermissions: PermissionProtocol = hookPermissions({
  answers: { Permission: { allow: () => ({ answer: "yes" }), deny: (why) => ({ answer: "no", why }) } },
  read: (_, payload) => {
    const said = fieldsOf(payload)
    const tool = firstText(said, "tool")
    return tool === null ? null : requestOf({ tool, kind: "command", command: firstText(said, "command") })
  },
  shape: { inputs: () => [{}], envelope: () => ["tool", "command"], inert: {}, bare: [] },
  plainYes: (dialog) => (dialog.kind === "permission" ? onlyOption(dialog, ({ label }) => label === "Yes") : null)
})
