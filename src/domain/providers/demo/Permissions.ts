import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { hookPermissions, onlyYes, permissionAnswers } from "../../cli/provider/PermissionAnswers.ts"
import { readingBy } from "../../cli/provider/RequestTable.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"

export const demoPermissions: PermissionProtocol = hookPermissions({
  answers: { PermissionRequest: permissionAnswers },
  ...readingBy({
    tools: { edit: "Write", command: "Shell", question: "Ask" },
    argumentsOf: fieldsOf,
    command: ({ input }) => text(input["command"]),
    paths: ({ input }) => [text(input["file_path"]) ?? []].flat(),
    inert: { "*": "content description" },
    bare: ""
  }),
  plainYes: onlyYes(/^Yes$/)
})
