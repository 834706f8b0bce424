import { settingsFile } from "../../cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../cli/wiring/HookShapes.ts"
import type { HookWiring, WiredEvent } from "../../cli/wiring/HookWiring.ts"
import { demoHome } from "./WiringPlace.ts"

const event = (name: string, canAnswer = false): WiredEvent => ({
  event: name,
  canAnswer,
  timeout: canAnswer ? 30 : 10,
  matcher: null
})

const events: ReadonlyArray<WiredEvent> = [
  event("SessionStart"),
  event("UserPromptSubmit"),
  event("PreToolUse"),
  event("PermissionRequest", true),
  event("PostToolUse"),
  event("Stop"),
  event("StopFailure"),
  event("Interrupt"),
  event("SessionEnd")
]

/** Where the demo CLI reads its hooks, and which of them leap uses. */
export const demoHooks: HookWiring = {
  events,
  files: ({ env, script }) => [
    settingsFile(`${demoHome(env)}/settings.json`, {
      events,
      script,
      shape: groupedHooks
    })
  ]
}
