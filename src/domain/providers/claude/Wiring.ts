import { settingsFile } from "../../cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../cli/wiring/HookShapes.ts"
import { eventsByVersion, type HookWiring, type WiringTrialRun } from "../../cli/wiring/HookWiring.ts"
import { withStatusLine } from "../../cli/wiring/StatusLine.ts"
import { wiredEvents } from "./Hooks.ts"
import { claudeIdentity, claudeDirectory } from "./Identity.ts"

/**
 * A test run without network use. The API address is a closed port, so the session starts, calls its hook and then
 * fails.
 */
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

/** Claude Code's hooks, and its status line if the user has or requests one: a new one takes a row of the screen. */
export const claudeHooks: HookWiring = {
  events: wiredEvents,
  trial,
  files: (place) => {
    const { env, script, statusLine, statusLineScript } = place
    const wanted = {
      ...eventsByVersion(wiredEvents, place, claudeIdentity.oldestVersion),
      script,
      shape: groupedHooks,
      strict: true
    }
    return [
      withStatusLine(settingsFile(`${claudeDirectory(env)}/settings.json`, wanted), {
        script: statusLineScript,
        use: "existing-or-requested",
        requested: statusLine
      })
    ]
  }
}
