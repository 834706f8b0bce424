import { settingsFile } from "../../../../src/domain/cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../../../src/domain/cli/wiring/HookShapes.ts"
import type { HookWiring, WiredEvent } from "../../../../src/domain/cli/wiring/HookWiring.ts"

/** Where Toy keeps what is the user's. */
export const toyHome = (env: Readonly<Record<string, string>>): string => `${env["HOME"] ?? ""}/.toy`

const events: ReadonlyArray<WiredEvent> = [
  { event: "Prompt", canAnswer: false, timeout: 5, matcher: null },
  { event: "Permission", canAnswer: true, timeout: 30, matcher: null },
  { event: "Done", canAnswer: false, timeout: 5, matcher: null }
]

/** Where Toy reads its hooks, and which of them leap wants. */
export const toyHooks: HookWiring = {
  events,
  files: ({ env, script }) => [settingsFile(`${toyHome(env)}/settings.json`, { events, script, shape: groupedHooks })]
}
