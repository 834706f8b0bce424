import { Layer } from "effect"
import { copilotDetection } from "../../domain/copilot/Copilot.ts"
import { copilotInput } from "../../domain/copilot/CopilotInput.ts"
import { copilotHome, copilotHooks } from "../../domain/copilot/CopilotWiring.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"

/** GitHub Copilot CLI. */
export const record: ProviderRecord = define({
  id: "copilot",
  displayName: "GitHub Copilot",
  binary: "copilot",
  installHint: "install it with: npm install -g @github/copilot",
  detection: copilotDetection,
  input: copilotInput,
  launch: ({ args }) => ({ command: "copilot", args, env: {} }),
  hooks: copilotHooks,
  transcript: (env, sessionId) => `${copilotHome(env)}/session-state/${sessionId}/events.jsonl`
})

/** GitHub Copilot CLI as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
