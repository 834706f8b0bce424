import { filled, type InputHistory, recordsOf } from "../../cli/usage/InputHistory.ts"
import { codexHome } from "./Identity.ts"

/** Codex keeps the prompts of all sessions in one file, without their directories. */
export const codexHistory: InputHistory = {
  recalls: true,
  index: null,
  file: (env) => `${codexHome(env)}/history.jsonl`,
  lines: true,
  prompts: (text) => filled(recordsOf(text).map((record) => record["text"]))
}
