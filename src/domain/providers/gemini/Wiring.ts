import { type HookShape, settingsFile } from "../../wiring/HookSettings.ts"
import { fieldOf, harmless } from "../../wiring/HookShapes.ts"
import type { HookWiring, WiredEvent } from "../../wiring/HookWiring.ts"

/** Gemini CLI displays this name while the hook runs, and can switch the hook off by it. */
const name = "leap"

// BeforeModel, BeforeToolSelection and AfterModel (once for each streamed part) report nothing more, and slow a turn
// down.
const observedEvents = ["SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "AfterTool", "Notification"] as const

const events: ReadonlyArray<WiredEvent> = [
  ...observedEvents.map((event) => ({ event, canAnswer: false, timeout: 5, matcher: null })),
  // It can refuse a tool; no hook can grant a permission.
  { event: "BeforeTool", canAnswer: true, timeout: 10, matcher: null },
  // Without the matcher it fires before every request, whether the conversation is compressed or not.
  { event: "PreCompress", canAnswer: false, timeout: 5, matcher: "manual" }
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
      ...(Array.isArray(disabled) && disabled.includes(name)
        ? [`hooksConfig.disabled names "${name}": leap's hooks will not run`]
        : [])
    ]
  }
}

/** Gemini CLI's hooks as leap wires them. It passes over events that it does not know, so that no trial is needed. */
export const geminiHooks: HookWiring = {
  events,
  files: ({ env, script }) => {
    const configured = env["GEMINI_CLI_HOME"]
    const home =
      configured === undefined || configured === "" ? (env["HOME"] ?? "") : configured.replace(/(?<=.)\/+$/, "")
    return [settingsFile(`${home}/.gemini/settings.json`, { events, script, shape })]
  }
}
