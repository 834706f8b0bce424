import { Result } from "effect"
import { getNodeValue } from "jsonc-parser"
import * as Jsonc from "../../text/JsoncEdit.ts"
import { fieldOf } from "../../wiring/HookShapes.ts"
import { booleanOf, type HookSwitches, lastSaid } from "../../wiring/HookSwitches.ts"

/** Gemini CLI's home: GEMINI_CLI_HOME, else the user's. */
export const geminiHome = (env: Readonly<Record<string, string>>): string => {
  const configured = env["GEMINI_CLI_HOME"]
  return configured === undefined || configured === "" ? (env["HOME"] ?? "") : configured.replace(/(?<=.)\/+$/, "")
}

/** The name by which Gemini CLI displays leap's hook, and can switch it off. */
export const hookName = "leap"

const systemDirectories = ["/etc/gemini-cli", "/Library/Application Support/GeminiCli"]

const systemFiles = (name: string): ReadonlyArray<string> =>
  systemDirectories.map((directory) => `${directory}/${name}`)

const settingsOf = (text: string): unknown => {
  const root = Result.getOrElse(Jsonc.parse(text.replace(/^\uFEFF/, "")), () => null)
  return root === null ? null : getNodeValue(root)
}

/**
 * What switches Gemini CLI's hooks off: `hooksConfig.enabled` in the last of its layers that has it (system defaults,
 * user, project, system), and leap's name in `hooksConfig.disabled` of any.
 */
export const geminiSwitches: HookSwitches = {
  files: ({ directory, env }) => [
    ...systemFiles("system-defaults.json"),
    `${geminiHome(env)}/.gemini/settings.json`,
    `${directory}/.gemini/settings.json`,
    ...systemFiles("settings.json")
  ],
  off: (_, texts) => {
    const configs = texts.map(({ path, text }) => ({ path, config: fieldOf(settingsOf(text), "hooksConfig") }))
    const enabled = lastSaid(
      configs.map(({ config, path }) => ({ where: path, value: booleanOf(fieldOf(config, "enabled")) }))
    )
    return [
      ...(enabled?.value === false ? [`hooksConfig.enabled is off in ${enabled.where}`] : []),
      ...configs
        .filter(({ config }) => {
          const disabled = fieldOf(config, "disabled")
          return Array.isArray(disabled) && disabled.includes(hookName)
        })
        .map(({ path }) => `hooksConfig.disabled names "${hookName}" in ${path}`)
    ]
  }
}
