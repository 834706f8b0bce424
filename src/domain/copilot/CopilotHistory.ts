import { fieldsOf } from "../usage/Fields.ts"
import { filled, type InputHistory, jsonOf } from "../usage/InputHistory.ts"
import { copilotHome } from "./CopilotWiring.ts"

/** Copilot keeps its latest prompts, newest first, each once, of all directories. */
export const copilotHistory: InputHistory = {
  index: null,
  file: (env) => `${copilotHome(env)}/command-history-state.json`,
  lines: false,
  prompts: (text) => {
    const { commandHistory } = fieldsOf(jsonOf(text))
    return Array.isArray(commandHistory) ? filled(commandHistory).toReversed() : []
  }
}
