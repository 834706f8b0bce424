import { firstKey, type OwnKeys } from "../../cli/provider/OwnKeys.ts"
import { fieldsOf } from "../../words/reading/Fields.ts"
import { valueOf } from "../../words/text/JsoncEdit.ts"
import { opencodeConfig } from "./Identity.ts"

const names = ["opencode.json", "opencode.jsonc", "tui.json", "tui.jsonc"]

/** OpenCode's `keybinds`, in a file of their own or, in older versions, among its settings: names parted by commas. */
export const keys: OwnKeys = {
  files: (env) => names.map((name) => `${opencodeConfig(env)}/${name}`),
  submit: (texts) => {
    const said = texts.flatMap((text) => {
      const { input_submit: keys } = fieldsOf(fieldsOf(valueOf(text))["keybinds"])
      return typeof keys === "string" ? [keys] : []
    })
    return firstKey((said.at(-1) ?? "return").split(","))
  }
}
