import { type HookShape, settingsFile } from "../../cli/wiring/HookSettings.ts"
import { allDisabled } from "../../cli/wiring/HookShapes.ts"
import type { HookWiring, WiredEvent } from "../../cli/wiring/HookWiring.ts"
import { copilotHome } from "./WiringPlace.ts"
import { statusLineFile } from "../../cli/wiring/StatusLine.ts"

// userPromptTransformed repeats userPromptSubmitted, and preMcpToolCall repeats preToolUse. A subagent's agentStop
// names the subagent.
const observedEvents = [
  "sessionStart",
  "sessionEnd",
  "userPromptSubmitted",
  "postToolUse",
  "postToolUseFailure",
  "agentStop",
  "errorOccurred",
  "preCompact",
  "notification"
] as const

const events: ReadonlyArray<WiredEvent> = [
  ...observedEvents.map((event) => ({ event, canAnswer: false, timeout: 5, matcher: null })),
  { event: "preToolUse", canAnswer: true, timeout: 10, matcher: null },
  { event: "permissionRequest", canAnswer: true, timeout: 60, matcher: null }
]

const shape: HookShape = {
  hook: ({ timeout }, command) => ({ type: "command", bash: command, timeoutSec: timeout }),
  grouped: false,
  fields: { version: 1 },
  switchedOff: allDisabled
}

/**
 * GitHub Copilot CLI's hooks as leap wires them: in a file of leap's own, because it reads every file of its `hooks`
 * folder. In the user's settings `disableAllHooks` applies to that file alone, so it does not switch these off; a
 * project's does. It passes over events that it does not know, so that no trial is needed. The status line is in the
 * user's settings; a status line that prints nothing is not displayed.
 */
export const copilotHooks: HookWiring = {
  events,
  files: ({ env, script, statusLine, statusLineScript }) => {
    const home = copilotHome(env)
    const hooks = settingsFile(`${home}/hooks/leap.json`, { events, script, shape })
    return [
      statusLineFile(`${home}/settings.json`, { script: statusLineScript, use: "always", asked: statusLine }, hooks),
      hooks
    ]
  }
}
