import { Layer } from "effect"
import { geminiDetection } from "../../domain/gemini/Gemini.ts"
import { geminiInput } from "../../domain/gemini/GeminiInput.ts"
import { geminiPermissions } from "../../domain/gemini/GeminiPermissions.ts"
import { geminiHooks } from "../../domain/gemini/GeminiWiring.ts"
import { geminiResume } from "../../domain/gemini/GeminiResume.ts"
import { geminiHistory } from "../../domain/gemini/GeminiHistory.ts"
import { geminiUsage } from "../../domain/gemini/GeminiUsage.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"
import { loadedWhenAsked } from "../../services/RelocationProtocol.ts"

/** Gemini CLI. */
export const record: ProviderRecord = define({
  id: "gemini",
  displayName: "Gemini CLI",
  binary: "gemini",
  installHint: "install it with: npm install -g @google/gemini-cli",
  checkedVersion: "0.61.0",
  detection: geminiDetection,
  input: geminiInput,
  usage: geminiUsage,
  history: geminiHistory,
  resume: geminiResume,
  relocation: loadedWhenAsked(() => import("../relocations/Gemini.ts").then(({ protocol }) => protocol)),
  launch: ({ args }) => ({ command: "gemini", args, env: {} }),
  hooks: geminiHooks,
  permissions: geminiPermissions
})

/** Gemini CLI as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
