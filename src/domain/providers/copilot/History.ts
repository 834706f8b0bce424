import { fieldsOf, itemsOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { filled, recalled } from "../../cli/usage/InputHistory.ts"
import { copilotHome } from "./Identity.ts"

/** Copilot keeps the latest prompts of all directories, newest first, without duplicates. */
export const copilotHistory = recalled({
  file: (env) => `${copilotHome(env)}/command-history-state.json`,
  lines: false,
  prompts: (text) => filled(itemsOf(fieldsOf(jsonOf(text))["commandHistory"])).toReversed()
})
