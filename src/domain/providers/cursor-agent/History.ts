import { itemsOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { filled, recalled } from "../../cli/usage/InputHistory.ts"

/** Cursor Agent keeps the prompts of all directories in one list, oldest first. */
export const cursorAgentHistory = recalled({
  file: (env) => `${env["HOME"] ?? ""}/.cursor/prompt_history.json`,
  lines: false,
  prompts: (text) => filled(itemsOf(jsonOf(text)))
})
