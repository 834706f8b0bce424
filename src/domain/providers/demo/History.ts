import { fieldsOf, itemsOf } from "../../words/reading/Fields.ts"
import { filled, recalled, recordsOf } from "../../cli/usage/InputHistory.ts"
import { demoHome } from "./Identity.ts"

const unfoldPastes = (prompt: unknown, pastes: unknown): unknown => {
  if (typeof prompt !== "string") return null
  let unfolded = ""
  let rest = prompt
  for (const { shown, text } of itemsOf(pastes).map(fieldsOf)) {
    const at = typeof shown === "string" && shown !== "" && typeof text === "string" ? rest.indexOf(shown) : -1
    if (at < 0) continue
    unfolded += rest.slice(0, at) + String(text)
    rest = rest.slice(at + String(shown).length)
  }
  return unfolded + rest
}

/** The demo CLI keeps the prompts of all directories in one file, and recalls none of them itself. */
export const demoHistory = recalled({
  recalls: false,
  file: (env) => `${demoHome(env)}/history.jsonl`,
  prompts: (text, cwd) =>
    filled(
      recordsOf(text).flatMap(({ directory, pastes, prompt }) =>
        directory === cwd ? [unfoldPastes(prompt, pastes)] : []
      )
    )
})
