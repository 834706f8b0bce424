import { firstKey, type OwnKeys } from "../../cli/provider/OwnKeys.ts"
import { fieldsOf, itemsOf, textOf } from "../../words/reading/Fields.ts"
import { valueOf } from "../../words/text/JsoncEdit.ts"
import { geminiHome } from "./WiringSwitches.ts"

/** Gemini CLI's `keybindings.json`: a list of commands and keys, where a minus before a command takes its key away. */
export const geminiKeys: OwnKeys = {
  files: (env) => [`${geminiHome(env)}/.gemini/keybindings.json`],
  submit: ([text]) => {
    let keys = ["enter"]
    for (const entry of itemsOf(valueOf(text))) {
      const { command, key } = fieldsOf(entry)
      const name = textOf(key)?.trim().toLowerCase()
      if (name === undefined) continue
      if (command === "input.submit") keys = [name, ...keys]
      if (command === "-input.submit") keys = keys.filter((other) => other !== name)
    }
    return firstKey(keys)
  }
}
