import { settingsFile } from "../../cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../cli/wiring/HookShapes.ts"
import type { HookWiring } from "../../cli/wiring/HookWiring.ts"
import { wiredEvents } from "./Hooks.ts"
import { demoHome } from "./Identity.ts"

export const demoHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env, script }) => [
    settingsFile(`${demoHome(env)}/settings.json`, { events: wiredEvents, script, shape: groupedHooks })
  ]
}
