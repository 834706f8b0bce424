import { type HookShape, settingsFile } from "../HookSettings.ts"
import { allDisabled } from "../HookShapes.ts"
import type { HookWiring, WiredEvent } from "../HookWiring.ts"

// The hooks before a shell command, an MCP call or the reading of a file are for deciding; preToolUse tells of all three. A
// name that a version does not know makes it pass over the whole file, in silence: nothing is wired that leap does not read.
const told = [
  "sessionStart", "sessionEnd", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure", "afterAgentResponse", "stop"
] as const

const events: ReadonlyArray<WiredEvent> = told.map((event) => ({ event, decision: false, timeout: 5, matcher: null }))

const shape: HookShape = {
  hook: ({ timeout }, command) => ({ command, timeout }),
  grouped: false,
  fields: { version: 1 },
  switchedOff: allDisabled
}

/**
 * Cursor Agent's hooks as leap wires them, in the file that it shares with the Cursor editor. The events are those of its
 * documentation that its terminal program is reported to fire.
 */
export const cursorHooks: HookWiring = {
  events,
  files: ({ env, script }) => [settingsFile(`${env["HOME"] ?? ""}/.cursor/hooks.json`, { events, script, shape })]
}
