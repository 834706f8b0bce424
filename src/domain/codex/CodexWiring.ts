import { settingsFile } from "../HookSettings.ts"
import { groupedHooks } from "../HookShapes.ts"
import type { HookWiring, WiredEvent } from "../HookWiring.ts"
import { trustFile } from "./CodexTrust.ts"

/** Codex gives these no more, and they tell of an end that nobody should wait for. */
const shortTimeout = 3

// SubagentStart and SubagentStop tell nothing that the tool events of the agents do not.
const told = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact", "Stop"] as const

const events: ReadonlyArray<WiredEvent> = [
  ...told.map((event) => ({ event, decision: false, timeout: 5, matcher: null })),
  { event: "PreToolUse", decision: true, timeout: 10, matcher: null },
  { event: "PermissionRequest", decision: true, timeout: 60, matcher: null },
  ...["Interrupt", "SessionEnd"].map((event) => ({ event, decision: false, timeout: shortTimeout, matcher: null }))
]

/** Codex's hooks as leap wires them: the hooks, and the user's trust in them, without which Codex would ask at its start. */
export const codexHooks: HookWiring = {
  events,
  files: (place) => {
    const { env, realPath, script } = place
    const named = env["CODEX_HOME"]
    // Codex follows the links of a directory that it is told, and not those of its own.
    const directory = named === undefined || named === "" ? `${env["HOME"] ?? ""}/.codex` : realPath(named.replace(/(?<=.)\/+$/, ""))
    const hooksJson = settingsFile(`${directory}/hooks.json`, { events, script, shape: groupedHooks })
    return [trustFile(`${directory}/config.toml`, hooksJson, place), hooksJson]
  }
}
