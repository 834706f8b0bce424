import { firstKey, type OwnKeys } from "../../cli/provider/OwnKeys.ts"
import { fieldsOf, itemsOf, textOf } from "../../words/reading/Fields.ts"
import { valueOf } from "../../words/formats/JsoncEdit.ts"
import { geminiHome } from "./Identity.ts"

/** Gemini CLI's default keys. It checks for a new line first, so a key with both meanings does not send. */
const ownKeys: ReadonlyArray<readonly [command: string, keys: ReadonlyArray<string>]> = [
  ["input.submit", ["enter"]],
  ["input.newline", ["ctrl+enter", "cmd+enter", "alt+enter", "shift+enter", "ctrl+j"]]
]

/** Gemini CLI's `keybindings.json`: a list of commands and keys; a minus before a command removes its key. */
export const keys: OwnKeys = {
  files: (env) => [`${geminiHome(env)}/keybindings.json`],
  submit: ([text]) => {
    const entries = itemsOf(valueOf(text)).map(fieldsOf)
    const [submit = [], newline = []] = ownKeys.map(([name, own]) =>
      entries.reduce<ReadonlyArray<string>>((keys, { command, key }) => {
        const pressed = textOf(key)?.trim().toLowerCase()
        if (pressed === undefined) return keys
        if (command === name) return [pressed, ...keys]
        return command === `-${name}` ? keys.filter((other) => other !== pressed) : keys
      }, own)
    )
    return firstKey(submit.filter((key) => !newline.includes(key)))
  }
}
