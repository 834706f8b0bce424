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
  const configHome = directoryBy(env, "XDG_CONFIG_HOME", "")
  const defaultDirectory = configHome === "" ? inHome(env, ".cursor") : `${configHome}/cursor`
  return `${directoryBy(env, "CURSOR_CONFIG_DIR", defaultDirectory)}/cli-config.json`
}

/**
 * The hooks that leap installs for Cursor Agent. The Cursor editor reads the same file. Cursor documents these events,
 * and users report that Cursor Agent fires them. The status line is known from the same sources. It is installed only
 * on request, because the user would see the output of a command that does not suit Cursor Agent.
 */
export const cursorAgentHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env, script, statusLine, statusLineScript }) => {
    const hooks = settingsFile(`${env["HOME"] ?? ""}/.cursor/hooks.json`, { events: wiredEvents, script, shape })
    return [
      statusLineFile(cliConfig(env), { script: statusLineScript, use: "requested", requested: statusLine }, hooks),
      hooks
    ]
  }
}
