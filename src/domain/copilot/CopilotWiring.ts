import { type HookShape, settingsFile } from "../HookSettings.ts"
import { allDisabled, harmless } from "../HookShapes.ts"
import type { HookWiring, WiredEvent } from "../HookWiring.ts"
import { statusLineFile } from "../StatusLine.ts"

// userPromptTransformed repeats userPromptSubmitted, preMcpToolCall preToolUse; a subagent's agentStop says whose it is.
const told = [
  "sessionStart", "sessionEnd", "userPromptSubmitted", "postToolUse", "postToolUseFailure", "agentStop", "errorOccurred",
  "preCompact", "notification"
] as const

const events: ReadonlyArray<WiredEvent> = [
  ...told.map((event) => ({ event, decision: false, timeout: 5, matcher: null })),
  { event: "preToolUse", decision: true, timeout: 10, matcher: null },
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

/**
 * GitHub Copilot CLI's hooks as leap wires them: it reads every file of its `hooks` folder, so leap has one of its own.
 * `disableAllHooks` counts in the file that it stands in; the same in the user's settings switches off none of these. The
 * status line is in the user's settings; one that prints nothing shows nowhere.
 */
export const copilotHooks: HookWiring = {
  events,
  files: ({ env, script, statusLine, statusLineScript }) => {
    const home = copilotHome(env)
    const hooks = settingsFile(`${home}/hooks/leap.json`, { events, script, shape })
    return [statusLineFile(`${home}/settings.json`, { script: statusLineScript, use: "always", asked: statusLine }, hooks), hooks]
  }
}
