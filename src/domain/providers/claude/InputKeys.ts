import { firstKey, type OwnKeys } from "../../cli/provider/OwnKeys.ts"
import { fieldsOf, itemsOf, textOf } from "../../words/reading/Fields.ts"
import { valueOf } from "../../words/formats/JsoncEdit.ts"
import { claudeDirectory } from "./Identity.ts"

/**
 * Claude Code's `keybindings.json`: later entries override earlier ones. If Enter no longer sends, the user's key does.
 */
export const keys: OwnKeys = {
  files: (env) => [`${claudeDirectory(env)}/keybindings.json`],
  submit: ([text]) => {
    const actions = new Map<string, unknown>([["enter", "chat:submit"]])
    for (const block of itemsOf(fieldsOf(valueOf(text))["bindings"])) {
      const { bindings, context } = fieldsOf(block)
      if (textOf(context) !== "Chat") continue
      for (const [key, action] of Object.entries(fieldsOf(bindings)))
        actions.set(key.toLowerCase().replace(/\breturn$/, "enter"), action)
    }
    return firstKey([...actions].flatMap(([key, action]) => (action === "chat:submit" ? [key] : [])))
  }
}
