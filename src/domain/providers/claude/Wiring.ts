import { settingsFile } from "../../cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../cli/wiring/HookShapes.ts"
import { eventsByVersion, type HookWiring, type WiredEvent, type WiringTrialRun } from "../../cli/wiring/HookWiring.ts"
import { withStatusLine } from "../../cli/wiring/StatusLine.ts"
import { claudeIdentity } from "./Identity.ts"
import { claudeDirectory } from "./WiringPlace.ts"

/**
 * The events that were always there, and those that came later, each with its first version. Up to 2.1.100 an entry for
 * an event that is not known makes Claude Code skip the whole file, the user's own rules included.
 *
 * WorktreeCreate would replace git's own worktrees, and MessageDisplay the displayed text: neither is wired.
 */
const observedEvents: ReadonlyArray<readonly [event: string, since?: string]> = [
  ["SessionStart", "1.0.62"],
  ["SessionEnd", "1.0.85"],
  ["UserPromptSubmit", "1.0.54"],
  ["PostToolUse"],
  // The oldest version in which it was seen.
  ["PostToolUseFailure", "2.0.77"],
  ["PermissionDenied", "2.1.89"],
  ["Stop"],
  ["StopFailure", "2.1.78"],
  ["PreCompact", "1.0.48"],
  ["PostCompact", "2.1.76"],
  ["Elicitation", "2.1.76"],
  ["ElicitationResult", "2.1.76"]
]

const events: ReadonlyArray<WiredEvent> = [
  ...observedEvents.map(([event, since]) => ({
    event,
    canAnswer: false,
    timeout: 5,
    matcher: null,
    ...(since === undefined ? {} : { since })
  })),
  { event: "PreToolUse", canAnswer: true, timeout: 10, matcher: null },
  { event: "PermissionRequest", canAnswer: true, timeout: 60, matcher: "*", since: "2.0.45" }
]

/** A prompt for a model on a port where nobody listens: the session starts, with its hook, and goes no further. */
const trial: WiringTrialRun = {
  event: "SessionStart",
  args: ["-p", "x"],
  env: (directory) => ({
    CLAUDE_CONFIG_DIR: directory,
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_AUTH_TOKEN: null,
    CLAUDE_CODE_OAUTH_TOKEN: null,
    CLAUDE_CODE_USE_BEDROCK: null,
    CLAUDE_CODE_USE_VERTEX: null,
    CLAUDE_CODE_USE_FOUNDRY: null,
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1"
  })
}

/**
 * Claude Code's hooks as leap wires them, and its status line where the user has one: a new status line would take a
 * row of the full-screen renderer and hide the hint about shortcuts.
 */
export const claudeHooks: HookWiring = {
  events,
  trial,
  files: (place) => {
    const { env, script, statusLine, statusLineScript } = place
    const wanted = {
      ...eventsByVersion(events, place, claudeIdentity.oldestVersion),
      script,
      shape: groupedHooks,
      strict: true
    }
    return [
      withStatusLine(settingsFile(`${claudeDirectory(env)}/settings.json`, wanted), {
        script: statusLineScript,
        use: "existing",
        asked: statusLine
      })
    ]
  }
}
