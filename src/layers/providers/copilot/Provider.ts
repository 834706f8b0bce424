import { copilotIdentity, copilotHome } from "../../../domain/providers/copilot/Identity.ts"
import { copilotDetection } from "../../../domain/providers/copilot/Detection.ts"
import { copilotInput, copilotCommands } from "../../../domain/providers/copilot/Input.ts"
import { copilotPermissions } from "../../../domain/providers/copilot/Permissions.ts"
import { copilotResume } from "../../../domain/providers/copilot/Resume.ts"
import { copilotHistory } from "../../../domain/providers/copilot/History.ts"
import { copilotUsage } from "../../../domain/providers/copilot/Usage.ts"
import { copilotSyntax } from "../../../domain/providers/copilot/Arguments.ts"
import { define, type Provider } from "../../../services/CLIProvider.ts"
import { lazyRelocation } from "../../../services/RelocationProtocol.ts"
import { hooksOffBy } from "../ownSettings.ts"

export const provider: Provider = define(copilotIdentity, {
  detection: copilotDetection,
  input: copilotInput,
  hooksOff: hooksOffBy(() => import("../../../domain/providers/copilot/WiringSwitches.ts")),
  commands: copilotCommands,
  usage: copilotUsage,
  history: copilotHistory,
  resume: copilotResume,
  relocation: lazyRelocation(() => import("./Relocation.ts").then(({ protocol }) => protocol)),
  syntax: copilotSyntax,
  launch: ({ args }) => ({ command: "copilot", args, env: {} }),
  permissions: copilotPermissions,
  transcript: (env, sessionId) => `${copilotHome(env)}/session-state/${sessionId}/events.jsonl`
})
