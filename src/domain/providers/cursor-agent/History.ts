import { jsonOf } from "../../words/formats/Json.ts"
import { filled, type InputHistory } from "../../cli/usage/InputHistory.ts"

/** Cursor Agent keeps the prompts of all directories in one list, oldest first. */
export const cursorAgentHistory: InputHistory = {
  recalls: true,
  index: null,
  file: (env) => `${env["HOME"] ?? ""}/.cursor/prompt_history.json`,
  lines: false,
  prompts: (text) => {
    const list = jsonOf(text)
    return Array.isArray(list) ? filled(list) : []
  }
}
