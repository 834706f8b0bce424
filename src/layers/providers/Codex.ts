import { Layer } from "effect"
import { codexDetection } from "../../domain/codex/Codex.ts"
import { codexInput } from "../../domain/codex/CodexInput.ts"
import { codexHooks } from "../../domain/codex/CodexWiring.ts"
import { codexArguments } from "../../domain/codex/CodexLaunch.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"

/** Codex. */
export const record: ProviderRecord = define({
  id: "codex",
  displayName: "OpenAI Codex",
  binary: "codex",
  installHint: "install it with: npm install -g @openai/codex",
  detection: codexDetection,
  input: codexInput,
  launch: ({ args }) => ({ command: "codex", args: codexArguments(args), env: {} }),
  hooks: codexHooks
})

/** Codex as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
