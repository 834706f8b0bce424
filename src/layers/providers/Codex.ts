import { Layer } from "effect"
import { codexDetection } from "../../domain/codex/Codex.ts"
import { codexInput } from "../../domain/codex/CodexInput.ts"
import { codexPermissions } from "../../domain/codex/CodexPermissions.ts"
import { codexHooks } from "../../domain/codex/CodexWiring.ts"
import { codexArguments } from "../../domain/codex/CodexLaunch.ts"
import { codexResume } from "../../domain/codex/CodexResume.ts"
import { codexHistory } from "../../domain/codex/CodexHistory.ts"
import { codexUsage } from "../../domain/codex/CodexUsage.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"
import { loadedWhenAsked } from "../../services/RelocationProtocol.ts"

/** Codex. */
export const record: ProviderRecord = define({
  id: "codex",
  displayName: "OpenAI Codex",
  binary: "codex",
  installHint: "install it with: npm install -g @openai/codex",
  checkedVersion: "0.169.0",
  detection: codexDetection,
  input: codexInput,
  usage: codexUsage,
  history: codexHistory,
  resume: codexResume,
  relocation: loadedWhenAsked(() => import("../relocations/Codex.ts").then(({ protocol }) => protocol)),
  launch: ({ args }) => ({ command: "codex", args: codexArguments(args), env: {} }),
  hooks: codexHooks,
  permissions: codexPermissions
})

/** Codex as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
