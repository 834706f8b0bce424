import { Layer } from "effect"
import { geminiDetection } from "../../domain/gemini/Gemini.ts"
import { geminiInput } from "../../domain/gemini/GeminiInput.ts"
import { geminiHooks } from "../../domain/gemini/GeminiWiring.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"

/** Gemini CLI. */
export const record: ProviderRecord = define({
  id: "gemini",
  displayName: "Gemini CLI",
  binary: "gemini",
  installHint: "install it with: npm install -g @google/gemini-cli",
  detection: geminiDetection,
  input: geminiInput,
  launch: ({ args }) => ({ command: "gemini", args, env: {} }),
  hooks: geminiHooks
})

/** Gemini CLI as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
