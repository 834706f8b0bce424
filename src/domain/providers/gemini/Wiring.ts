import { type HookShape, settingsFile } from "../../cli/wiring/HookSettings.ts"
import { fieldOf } from "../../cli/wiring/HookShapes.ts"
import { geminiHome, hookName } from "./WiringSwitches.ts"
import type { HookWiring, WiredEvent } from "../../cli/wiring/HookWiring.ts"

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

/** Gemini CLI's hooks as leap wires them. It passes over events that it does not know, so that no trial is needed. */
export const geminiHooks: HookWiring = {
  events,
  files: ({ env, script }) => [settingsFile(`${geminiHome(env)}/.gemini/settings.json`, { events, script, shape })]
}
