import { settingsFile } from "../../cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../cli/wiring/HookShapes.ts"
import type { HookWiring } from "../../cli/wiring/HookWiring.ts"
import { wiredEvents } from "./Hooks.ts"
import { demoHome } from "./Identity.ts"

/** Where the demo CLI reads its hooks, and which of them leap uses. */
export const demoHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env, script }) => [
    settingsFile(`${demoHome(env)}/settings.json`, { events: wiredEvents, script, shape: groupedHooks })
  ]
}
