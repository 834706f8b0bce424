import { filled, type InputHistory, jsonOf } from "../usage/InputHistory.ts"

/** Cursor Agent keeps its prompts in one list, oldest first, of all directories. */
export const cursorHistory: InputHistory = {
  index: null,
  file: (env) => `${env["HOME"] ?? ""}/.cursor/prompt_history.json`,
  lines: false,
  prompts: (text) => {
    const list = jsonOf(text)
    return Array.isArray(list) ? filled(list) : []
  }
}
