import { settingsFile } from "../HookSettings.ts"
import { groupedHooks } from "../HookShapes.ts"
import type { HookWiring, WiredEvent } from "../HookWiring.ts"
import { withStatusLine } from "../StatusLine.ts"

/** Where Claude Code keeps what is the user's: CLAUDE_CONFIG_DIR, else in the home directory. */
export const claudeDirectory = (env: Readonly<Record<string, string>>): string => {
  const named = env["CLAUDE_CONFIG_DIR"]
  return named === undefined || named === "" ? `${env["HOME"] ?? ""}/.claude` : named.replace(/\/+$/, "")
}

// WorktreeCreate would replace git's own worktrees and MessageDisplay the shown text: both stay unwired.
const told = [
  "SessionStart", "SessionEnd", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "Stop",
  "StopFailure", "PreCompact", "PostCompact", "Elicitation", "ElicitationResult"
] as const

const events: ReadonlyArray<WiredEvent> = [
  ...told.map((event) => ({ event, decision: false, timeout: 5, matcher: null })),
  { event: "PreToolUse", decision: true, timeout: 10, matcher: null },
  { event: "PermissionRequest", decision: true, timeout: 60, matcher: "*" }
]

/**
 * Claude Code's hooks as leap wires them, and its status line where the user has one: any at all takes a row of the
 * full-screen renderer and the hint at the shortcuts.
 */
export const claudeHooks: HookWiring = {
  events,
  files: ({ env, script, statusLine, statusLineScript }) => [withStatusLine(
    settingsFile(`${claudeDirectory(env)}/settings.json`, { events, script, shape: groupedHooks }),
    { script: statusLineScript, use: "existing", asked: statusLine }
  )]
}
