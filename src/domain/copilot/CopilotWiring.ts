import { type HookShape, settingsFile } from "../HookSettings.ts"
import { allDisabled, harmless } from "../HookShapes.ts"
import type { HookWiring, WiredEvent } from "../HookWiring.ts"

// userPromptTransformed repeats userPromptSubmitted, preMcpToolCall preToolUse; a subagent's agentStop says whose it is.
const told = [
  "sessionStart", "sessionEnd", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "agentStop", "errorOccurred",
  "preCompact", "notification"
] as const

const events: ReadonlyArray<WiredEvent> = [
  ...told.map((event) => ({ event, decision: false, timeout: 5, matcher: null })),
  { event: "permissionRequest", decision: true, timeout: 60, matcher: null }
]

const shape: HookShape = {
  // A preToolUse hook that fails denies the tool.
  hook: ({ timeout }, command) => ({ type: "command", bash: harmless(command), timeoutSec: timeout }),
  grouped: false,
  fields: { version: 1 },
  switchedOff: allDisabled
}

/** Where GitHub Copilot CLI keeps what is the user's: COPILOT_HOME, else in the home directory. */
export const copilotHome = (env: Readonly<Record<string, string>>): string => {
  const named = env["COPILOT_HOME"]
  return named === undefined || named === "" ? `${env["HOME"] ?? ""}/.copilot` : named.replace(/(?<=.)\/+$/, "")
}

/** GitHub Copilot CLI's hooks as leap wires them: it reads every file of its `hooks` folder, so leap has one of its own. */
export const copilotHooks: HookWiring = {
  events,
  files: ({ env, script }) => [settingsFile(`${copilotHome(env)}/hooks/leap.json`, { events, script, shape })]
}
