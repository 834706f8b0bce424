import { fieldsOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { filled, type InputHistory } from "../../cli/usage/InputHistory.ts"
import { copilotHome } from "./Identity.ts"

/** Copilot keeps the latest prompts of all directories, newest first, without duplicates. */
export const copilotHistory: InputHistory = {
  recalls: true,
  index: null,
  file: (env) => `${copilotHome(env)}/command-history-state.json`,
  lines: false,
  prompts: (text) => {
    const { commandHistory } = fieldsOf(jsonOf(text))
    return Array.isArray(commandHistory) ? filled(commandHistory).toReversed() : []
  }
}
