import { type HookShape, settingsFile } from "../../cli/wiring/HookSettings.ts"
import { fieldOf } from "../../cli/wiring/HookShapes.ts"
import { wiredEvents } from "./Hooks.ts"
import { geminiHome } from "./Identity.ts"
import { hookName } from "./WiringSwitches.ts"
import type { HookWiring } from "../../cli/wiring/HookWiring.ts"

const shape: HookShape = {
  hook: ({ timeout }, command) => ({
    type: "command",
    name: hookName,
    command,
    timeout: timeout * 1000
  }),
  grouped: true,
  fields: {},
  switchedOff: (settings) => {
    const config = fieldOf(settings, "hooksConfig")
    const disabled = fieldOf(config, "disabled")
    return [
      ...(fieldOf(config, "enabled") === false ? ["hooksConfig.enabled is off: no hook will run"] : []),
      ...(Array.isArray(disabled) && disabled.includes(hookName)
        ? [`hooksConfig.disabled names "${hookName}": leap's hooks will not run`]
        : [])
    ]
  }
}

/** Gemini CLI ignores unknown events. So leap need not test whether the installed version accepts the hooks. */
export const geminiHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env, script }) => [settingsFile(`${geminiHome(env)}/settings.json`, { events: wiredEvents, script, shape })]
}
