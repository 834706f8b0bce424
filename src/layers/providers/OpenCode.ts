import { Layer } from "effect"
import { opencodeDetection } from "../../domain/opencode/OpenCode.ts"
import { opencodeInput } from "../../domain/opencode/OpenCodeInput.ts"
import { opencodeHooks } from "../../domain/opencode/OpenCodeWiring.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"

/** OpenCode. */
export const record: ProviderRecord = define({
  id: "opencode",
  displayName: "OpenCode",
  binary: "opencode",
  installHint: "install it with: npm install -g opencode-ai",
  detection: opencodeDetection,
  input: opencodeInput,
  launch: ({ args }) => ({ command: "opencode", args, env: {} }),
  hooks: opencodeHooks
})

/** OpenCode as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
