import { Layer } from "effect"
import { copilotDetection } from "../../domain/copilot/Copilot.ts"
import { copilotInput } from "../../domain/copilot/CopilotInput.ts"
import { copilotPermissions } from "../../domain/copilot/CopilotPermissions.ts"
import { copilotHome, copilotHooks } from "../../domain/copilot/CopilotWiring.ts"
import { copilotResume } from "../../domain/copilot/CopilotResume.ts"
import { copilotHistory } from "../../domain/copilot/CopilotHistory.ts"
import { copilotUsage } from "../../domain/copilot/CopilotUsage.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"
import { loadedWhenAsked } from "../../services/RelocationProtocol.ts"

/** GitHub Copilot CLI. */
export const record: ProviderRecord = define({
  id: "copilot",
  displayName: "GitHub Copilot",
  binary: "copilot",
  installHint: "install it with: npm install -g @github/copilot",
  checkedVersion: "1.0.102",
  detection: copilotDetection,
  input: copilotInput,
  usage: copilotUsage,
  history: copilotHistory,
  resume: copilotResume,
  relocation: loadedWhenAsked(() => import("../relocations/Copilot.ts").then(({ protocol }) => protocol)),
  launch: ({ args }) => ({ command: "copilot", args, env: {} }),
  hooks: copilotHooks,
  permissions: copilotPermissions,
  transcript: (env, sessionId) => `${copilotHome(env)}/session-state/${sessionId}/events.jsonl`
})

/** GitHub Copilot CLI as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
