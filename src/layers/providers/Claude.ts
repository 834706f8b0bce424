import { Layer } from "effect"
import { claudeDetection } from "../../domain/claude/Claude.ts"
import { claudeInput } from "../../domain/claude/ClaudeInput.ts"
import { belongs, runs } from "../../domain/claude/ClaudeOwnStatus.ts"
import { claudeDirectory, claudeHooks } from "../../domain/claude/ClaudeWiring.ts"
import { claudeResume } from "../../domain/claude/ClaudeResume.ts"
import { claudeHistory } from "../../domain/claude/ClaudeHistory.ts"
import { claudePermissions } from "../../domain/claude/ClaudePermissions.ts"
import { claudeUsage } from "../../domain/claude/ClaudeUsage.ts"
import { CLIProvider, define, type OwnStatusSource, type ProviderRecord } from "../../services/CLIProvider.ts"
import { loadedWhenAsked } from "../../services/RelocationProtocol.ts"

/** Claude Code's live status files. */
export const ownStatus: OwnStatusSource = {
  directory: (env) => `${claudeDirectory(env)}/sessions`,
  belongs,
  runs
}

/** Claude Code. */
export const record: ProviderRecord = define({
  id: "claude",
  displayName: "Claude Code",
  binary: "claude",
  installHint: "install it with: npm install -g @anthropic-ai/claude-code",
  checkedVersion: "2.1.329",
  detection: claudeDetection,
  input: claudeInput,
  usage: claudeUsage,
  history: claudeHistory,
  resume: claudeResume,
  relocation: loadedWhenAsked(() => import("../relocations/Claude.ts").then(({ protocol }) => protocol)),
  // inside another Claude Code (leap started by an agent, say) it would take itself for a part of that one
  launch: ({ args }) => ({ command: "claude", args, env: { CLAUDECODE: null, CLAUDE_CODE_ENTRYPOINT: null, CLAUDE_CODE_SSE_PORT: null } }),
  hooks: claudeHooks,
  permissions: claudePermissions,
  ownStatus
})

/** Claude Code as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
