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
 * GitHub Copilot CLI's hooks as leap wires them: in leap's own file, because Copilot reads every file of its `hooks`
 * folder. In the user's settings `disableAllHooks` applies only to that file, so it does not switch these off; a
 * project's does. Copilot skips unknown events, so no trial is needed. The status line is in the user's settings; a
 * status line that prints nothing is not displayed.
 */
export const copilotHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env, script, statusLine, statusLineScript }) => {
    const home = copilotHome(env)
    const hooks = settingsFile(`${home}/hooks/leap.json`, { events: wiredEvents, script, shape })
    return [
      statusLineFile(`${home}/settings.json`, { script: statusLineScript, use: "always", asked: statusLine }, hooks),
      hooks
    ]
  }
}
