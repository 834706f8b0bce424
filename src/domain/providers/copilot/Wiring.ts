import { type HookShape, settingsFile } from "../../cli/wiring/HookSettings.ts"
import { allDisabled } from "../../cli/wiring/HookShapes.ts"
import type { HookWiring } from "../../cli/wiring/HookWiring.ts"
import { wiredEvents } from "./Hooks.ts"
import { copilotHome } from "./Identity.ts"
import { statusLineFile } from "../../cli/wiring/StatusLine.ts"

const shape: HookShape = {
  hook: ({ timeout }, command) => ({ type: "command", bash: command, timeoutSec: timeout }),
  grouped: false,
  fields: { version: 1 },
  switchedOff: allDisabled
}

/**
 * GitHub Copilot CLI's hooks as leap wires them: in a file of leap's own, because Copilot reads every file of its
 * `hooks` folder. `disableAllHooks` in the user's settings affects only that file, so it does not disable leap's hooks;
 * in a project's settings it does. Copilot ignores unknown events, so leap need not test whether it accepts the hooks.
 * The status line is in the user's settings; one that prints nothing is not displayed.
 */
export const copilotHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env, script, statusLine, statusLineScript }) => {
    const home = copilotHome(env)
    const hooks = settingsFile(`${home}/hooks/leap.json`, { events: wiredEvents, script, shape })
    return [
      statusLineFile(
        `${home}/settings.json`,
        { script: statusLineScript, use: "always", requested: statusLine },
        hooks
      ),
      hooks
    ]
  }
}
