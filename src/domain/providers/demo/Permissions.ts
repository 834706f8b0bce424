import { onlyYes, permissionAnswers } from "../../cli/provider/PermissionAnswers.ts"
import { permissionsBy } from "../../cli/provider/PermissionTable.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"

export const demoPermissions = permissionsBy({
  answers: { PermissionRequest: permissionAnswers },
  tools: { edit: "Write Edit", command: "Shell", question: "Ask" },
  argumentsOf: fieldsOf,
  paths: ({ input }) => [text(input["file_path"]) ?? []].flat(),
  inert: { "*": "content description old_string new_string" },
  bare: "",
  plainYes: onlyYes(/^Yes$/)
})
