import { Result } from "effect"
import { firstKey, type OwnKeys } from "../../cli/provider/OwnKeys.ts"
import { parse, valueAt } from "../../words/formats/TomlEdit.ts"
import { codexHome } from "./Identity.ts"

/** Codex's `[tui.keymap.composer]`: one key, or several, for `submit`. */
export const keys: OwnKeys = {
  files: (env) => [`${codexHome(env)}/config.toml`],
  submit: ([text]) => {
    if (text?.includes("keymap") !== true) return null
    const tree = parse(text)
    const keys = Result.isSuccess(tree)
      ? valueAt(tree.success.value, ["tui", "keymap", "composer", "submit"])
      : undefined
    const names: ReadonlyArray<unknown> = Array.isArray(keys) ? keys : keys === undefined ? ["enter"] : [keys]
    return firstKey(names.filter((name): name is string => typeof name === "string"))
  }
}
