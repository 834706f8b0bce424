import { filled, recalled, recordsOf } from "../../cli/usage/InputHistory.ts"
import { codexHome } from "./Identity.ts"

/** Codex keeps the prompts of all sessions in one file, without their directories. */
export const codexHistory = recalled({
  file: (env) => `${codexHome(env)}/history.jsonl`,
  prompts: (text) => filled(recordsOf(text).map((record) => record["text"]))
})
