import { Layer } from "effect"
import { claudeDetection } from "../../domain/claude/Claude.ts"
import { claudeInput } from "../../domain/claude/ClaudeInput.ts"
import { belongs } from "../../domain/claude/ClaudeOwnStatus.ts"
import type { HookWiring } from "../../domain/HookWiring.ts"
import { CLIProvider, type OwnStatusSource, type ProviderRecord } from "../../services/CLIProvider.ts"

const configDirectory = (env: Readonly<Record<string, string>>): string => {
  const named = env["CLAUDE_CONFIG_DIR"]
  return named === undefined || named === "" ? `${env["HOME"] ?? ""}/.claude` : named.replace(/\/+$/, "")
}

// WorktreeCreate would replace git's own worktrees and MessageDisplay the shown text: both stay unwired.
const told = [
  "SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "Stop",
  "StopFailure", "PreCompact", "PostCompact", "Elicitation", "ElicitationResult"
] as const

/** Claude Code's hooks as leap wires them. */
export const hooks: HookWiring = {
  settingsFile: (env) => `${configDirectory(env)}/settings.json`,
  events: [
    ...told.map((event) => ({ event, decision: false, timeout: 5, matcher: null })),
    { event: "PermissionRequest", decision: true, timeout: 60, matcher: "*" }
  ]
}

/** Claude Code's live status files. */
export const ownStatus: OwnStatusSource = {
  directory: (env) => `${configDirectory(env)}/sessions`,
  belongs
}

/** Claude Code. */
export const record: ProviderRecord = {
  id: "claude",
  displayName: "Claude Code",
  binary: "claude",
  installHint: "install it with: npm install -g @anthropic-ai/claude-code",
  detection: claudeDetection,
  input: claudeInput,
  // inside another Claude Code (leap started by an agent, say) it would take itself for a part of that one
  launch: ({ args }) => ({ command: "claude", args, env: { CLAUDECODE: null, CLAUDE_CODE_ENTRYPOINT: null, CLAUDE_CODE_SSE_PORT: null } }),
  hooks,
  ownStatus,
  bundled: false
}

/** Claude Code as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
