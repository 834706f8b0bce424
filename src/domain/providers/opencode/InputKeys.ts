import { firstKey, type OwnKeys } from "../../cli/provider/OwnKeys.ts"
import { fieldsOf } from "../../words/reading/Fields.ts"
import { valueOf } from "../../words/formats/JsoncEdit.ts"
import { opencodeConfig } from "./Identity.ts"

const names = ["opencode.json", "opencode.jsonc", "tui.json", "tui.jsonc"]

/** Names of keys, separated by commas; or a key with its modifiers as an object, alone or in a binding; or a list. */
const namesOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value.split(",")
  if (Array.isArray(value)) return value.flatMap(namesOf)
  const { key, name, ...held } = fieldsOf(value)
  if (typeof name !== "string") return key === undefined ? [] : namesOf(key)
  return [[...["ctrl", "shift", "meta", "super", "hyper"].filter((one) => held[one] === true), name].join("+")]
}

/** OpenCode's `keybinds`, in a file of their own or, in older versions, among its settings. */
export const keys: OwnKeys = {
  files: (env) => names.map((name) => `${opencodeConfig(env)}/${name}`),
  submit: (texts) => {
    const said = texts.flatMap((text) => {
      const { input_submit: keys } = fieldsOf(fieldsOf(valueOf(text))["keybinds"])
      return keys === undefined ? [] : [namesOf(keys)]
    })
    return firstKey(said.at(-1) ?? ["return"])
  }
}
