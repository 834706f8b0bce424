import { type HookShape, settingsFile } from "../HookSettings.ts"
import { fieldOf, harmless } from "../HookShapes.ts"
import type { HookWiring, WiredEvent } from "../HookWiring.ts"

/** Gemini CLI shows it to the user while the hook runs, and can switch it off by it. */
const name = "leap"

// BeforeModel, BeforeToolSelection and AfterModel (once for each piece of an answer) tell nothing more and slow a turn down.
const told = ["SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "AfterTool", "Notification"] as const

const events: ReadonlyArray<WiredEvent> = [
  ...told.map((event) => ({ event, decision: false, timeout: 5, matcher: null })),
  // It can refuse a tool; no hook can grant a permission.
  { event: "BeforeTool", decision: true, timeout: 10, matcher: null },
  // Otherwise before every request, whether the conversation is compressed or not.
  { event: "PreCompress", decision: false, timeout: 5, matcher: "manual" }
]

const shape: HookShape = {
  // A BeforeAgent hook that fails ends the turn.
  hook: ({ timeout }, command) => ({ type: "command", name, command: harmless(command), timeout: timeout * 1000 }),
  grouped: true,
  fields: {},
  switchedOff: (settings) => {
    const config = fieldOf(settings, "hooksConfig")
    const disabled = fieldOf(config, "disabled")
    return [
      ...(fieldOf(config, "enabled") === false ? ["hooksConfig.enabled is off: no hook will run"] : []),
      ...(Array.isArray(disabled) && disabled.includes(name) ? [`hooksConfig.disabled names "${name}": leap's hooks will not run`] : [])
    ]
  }
}

/** Gemini CLI's hooks as leap wires them. */
export const geminiHooks: HookWiring = {
  events,
  files: ({ env, script }) => {
    const named = env["GEMINI_CLI_HOME"]
    const home = named === undefined || named === "" ? env["HOME"] ?? "" : named.replace(/(?<=.)\/+$/, "")
    return [settingsFile(`${home}/.gemini/settings.json`, { events, script, shape })]
  }
}
