import { settingsFile } from "../../cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../cli/wiring/HookShapes.ts"
import { eventsByVersion, type HookWiring, type WiredEvent, type WiringTrialRun } from "../../cli/wiring/HookWiring.ts"
import { codexIdentity } from "./Identity.ts"
import { trustFile } from "./WiringTrust.ts"

/**
 * The longest time-out that Codex accepts for these events. They report an end, for which nobody should have to wait.
 */
const shortTimeout = 3

// SubagentStart and SubagentStop report nothing beyond the tool events of subagents.
const observedEvents = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact", "Stop"] as const

const events: ReadonlyArray<WiredEvent> = [
  ...observedEvents.map((event) => ({ event, canAnswer: false, timeout: 5, matcher: null })),
  { event: "PreToolUse", canAnswer: true, timeout: 10, matcher: null },
  { event: "PermissionRequest", canAnswer: true, timeout: 60, matcher: null },
  ...["Interrupt", "SessionEnd"].map((event) => ({ event, canAnswer: false, timeout: shortTimeout, matcher: null }))
]

/** A prompt for a model on a port where nobody listens: the session starts, with its hook, and goes no further. */
const nobody = '{name="nobody",base_url="http://127.0.0.1:9/v1",wire_api="responses",request_max_retries=0}'
const trial: WiringTrialRun = {
  event: "SessionStart",
  args: [
    "exec",
    "--skip-git-repo-check",
    ...["check_for_update_on_startup=false", "analytics.enabled=false", 'model_provider="nobody"'].flatMap((it) => [
      "-c",
      it
    ]),
    "-c",
    `model_providers.nobody=${nobody}`,
    "x"
  ],
  env: (directory) => ({ CODEX_HOME: directory, OPENAI_API_KEY: null, CODEX_API_KEY: null })
}

/**
 * Codex's hooks as leap wires them: the hooks themselves, and the user's trust in them, without which Codex would ask
 * at its start.
 */
export const codexHooks: HookWiring = {
  events,
  trial,
  files: (place) => {
    const { env, realPath, script } = place
    const configured = env["CODEX_HOME"]
    // Codex resolves links in a directory that it is given, but not in its default one.
    const directory =
      configured === undefined || configured === ""
        ? `${env["HOME"] ?? ""}/.codex`
        : realPath(configured.replace(/(?<=.)\/+$/, ""))
    const wanted = {
      ...eventsByVersion(events, place, codexIdentity.oldestVersion),
      script,
      shape: groupedHooks,
      strict: true
    }
    const hooksJson = settingsFile(`${directory}/hooks.json`, wanted)
    return [trustFile(`${directory}/config.toml`, hooksJson, place), hooksJson]
  }
}
