import { firstKey, type OwnKeys } from "../../cli/provider/OwnKeys.ts"
import { fieldsOf } from "../../words/reading/Fields.ts"
import { valueOf } from "../../words/formats/JsoncEdit.ts"
import { opencodeConfig } from "./Identity.ts"

const fileNames = ["opencode.json", "opencode.jsonc", "tui.json", "tui.jsonc"]

/** The keys in a value: names separated by commas, an object for a key, a binding that has one, or a list of these. */
const namesOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value.split(",")
  if (Array.isArray(value)) return value.flatMap(namesOf)
  const { key, name, ...held } = fieldsOf(value)
  if (typeof name !== "string") return key === undefined ? [] : namesOf(key)
  return [[...["ctrl", "shift", "meta", "super", "hyper"].filter((one) => held[one] === true), name].join("+")]
}

/** OpenCode's `keybinds`, among the settings of its terminal interface or, in older versions, among all settings. */
export const keys: OwnKeys = {
  files: (env) => fileNames.map((name) => `${opencodeConfig(env)}/${name}`),
  submit: (texts) => {
    const said = texts.flatMap((text) => {
      const { input_submit: keys } = fieldsOf(fieldsOf(valueOf(text))["keybinds"])
      return keys === undefined ? [] : [namesOf(keys)]
    })
    return firstKey(said.at(-1) ?? ["return"])
  }
}
