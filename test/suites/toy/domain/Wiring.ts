import { settingsFile } from "../../../../src/domain/cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../../../src/domain/cli/wiring/HookShapes.ts"
import type { HookWiring } from "../../../../src/domain/cli/wiring/HookWiring.ts"
import { wiredEvents } from "./Hooks.ts"

/** Where Toy keeps what is the user's. */
export const toyHome = (env: Readonly<Record<string, string>>): string => `${env["HOME"] ?? ""}/.toy`

/** Where Toy reads its hooks, and which of them leap wants. */
export const toyHooks: HookWiring = {
  events: wiredEvents,
  files: ({ env, script }) => [
    settingsFile(`${toyHome(env)}/settings.json`, { events: wiredEvents, script, shape: groupedHooks })
  ]
}
