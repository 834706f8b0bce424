import { type HookShape, settingsFile } from "../HookSettings.ts"
import { allDisabled } from "../HookShapes.ts"
import type { HookWiring, WiredEvent } from "../HookWiring.ts"
import { statusLineFile } from "../StatusLine.ts"

// The hook before the reading of a file is told the whole file: preToolUse tells of that. A name that a version does not
// know makes it pass over the whole file, in silence: nothing is wired that leap does not read.
const told = [
  "sessionStart", "sessionEnd", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "afterAgentResponse", "stop"
] as const

const events: ReadonlyArray<WiredEvent> = [
  ...told.map((event) => ({ event, decision: false, timeout: 5, matcher: null })),
  ...["preToolUse", "beforeShellExecution", "beforeMCPExecution"].map((event) => ({ event, decision: true, timeout: 10, matcher: null }))
]

const shape: HookShape = {
  hook: ({ timeout }, command) => ({ command, timeout }),
  grouped: false,
  fields: { version: 1 },
  switchedOff: allDisabled
}

/** Where Cursor Agent keeps the settings of its terminal program. */
const cliConfig = (env: Readonly<Record<string, string>>): string => {
  const named = (name: string) => (env[name] ?? "").replace(/(?<=.)\/+$/, "")
  const directory = named("CURSOR_CONFIG_DIR")
    || (named("XDG_CONFIG_HOME") === "" ? `${env["HOME"] ?? ""}/.cursor` : `${named("XDG_CONFIG_HOME")}/cursor`)
  return `${directory}/cli-config.json`
}

/**
 * Cursor Agent's hooks as leap wires them, in the file that it shares with the Cursor editor. The events are those of its
 * documentation that its terminal program is reported to fire. So is its status line, which is left alone unless it is
 * asked for: a command in it that does not suit the program would show.
 */
export const cursorHooks: HookWiring = {
  events,
  files: ({ env, script, statusLine, statusLineScript }) => {
    const hooks = settingsFile(`${env["HOME"] ?? ""}/.cursor/hooks.json`, { events, script, shape })
    return [statusLineFile(cliConfig(env), { script: statusLineScript, use: "asked", asked: statusLine }, hooks), hooks]
  }
}
