import { directoryBy, inHome } from "../../cli/provider/Environment.ts"
import { type HookShape, settingsFile } from "../../cli/wiring/HookSettings.ts"
import { allDisabled } from "../../cli/wiring/HookShapes.ts"
import type { HookWiring } from "../../cli/wiring/HookWiring.ts"
import { statusLineFile } from "../../cli/wiring/StatusLine.ts"
import { wiredEvents } from "./Hooks.ts"

const shape: HookShape = {
  hook: ({ timeout }, command) => ({ command, timeout }),
  grouped: false,
  fields: { version: 1 },
  switchedOff: allDisabled
}

const cliConfig = (env: Readonly<Record<string, string>>): string => {
  const shared = directoryBy(env, "XDG_CONFIG_HOME", "")
  const usual = shared === "" ? inHome(env, ".cursor") : `${shared}/cursor`
  return `${directoryBy(env, "CURSOR_CONFIG_DIR", usual)}/cli-config.json`
}

/**
 * Cursor Agent's hooks as leap wires them, in the file that it shares with the Cursor editor. The events are
 * documented, and its terminal program is reported to fire them. The same holds for its status line, which is only
 * wired on request: an unsuitable command would be visible to the user.
 */
export const cursorAgentHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env, script, statusLine, statusLineScript }) => {
    const hooks = settingsFile(`${env["HOME"] ?? ""}/.cursor/hooks.json`, { events: wiredEvents, script, shape })
    return [statusLineFile(cliConfig(env), { script: statusLineScript, use: "asked", asked: statusLine }, hooks), hooks]
  }
}
