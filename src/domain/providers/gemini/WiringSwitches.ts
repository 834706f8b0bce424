import { valueOf } from "../../words/formats/JsoncEdit.ts"
import { fieldOf } from "../../cli/wiring/HookShapes.ts"
import { booleanOf, type HookSwitches, lastValue } from "../../cli/wiring/HookSwitches.ts"
import { geminiHome } from "./Identity.ts"

/** The name of leap's hook in Gemini CLI. The CLI shows it, and `hooksConfig.disabled` may list it. */
export const hookName = "leap"

const systemDirectories = ["/etc/gemini-cli", "/Library/Application Support/GeminiCli"]

/**
 * The system-wide settings and defaults files. Variables may name other files. Without one, the defaults are in the
 * directory of the settings.
 */
const systemFiles = (env: Readonly<Record<string, string>>) => {
  const named = (variable: string): string | null => env[variable] || null
  const settings = named("GEMINI_CLI_SYSTEM_SETTINGS_PATH")
  const defaults = named("GEMINI_CLI_SYSTEM_DEFAULTS_PATH")
  const found = settings === null ? systemDirectories.map((directory) => `${directory}/settings.json`) : [settings]
  return {
    settings: found,
    defaults: defaults === null ? found.map((file) => file.replace(/[^/]*$/, "system-defaults.json")) : [defaults]
  }
}

/**
 * What switches Gemini CLI's hooks off: `hooksConfig.enabled` of the last file that sets it, or leap's name in
 * `hooksConfig.disabled` of any file.
 */
export const switches: HookSwitches = {
  // From the lowest precedence to the highest.
  files: ({ directory, env }) => [
    ...systemFiles(env).defaults,
    `${geminiHome(env)}/settings.json`,
    `${directory}/.gemini/settings.json`,
    ...systemFiles(env).settings
  ],
  off: (_, texts) => {
    const configs = texts.map(({ path, text }) => ({ path, config: fieldOf(valueOf(text), "hooksConfig") }))
    const enabled = lastValue(
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
