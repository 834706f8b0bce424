import { claudeIdentity } from "../../../domain/providers/claude/Identity.ts"
import { claudeDetection } from "../../../domain/providers/claude/Detection.ts"
import { claudeInput, claudeCommands } from "../../../domain/providers/claude/Input.ts"
import { claudeOwnStatus } from "../../../domain/providers/claude/OwnStatus.ts"
import { claudeResume } from "../../../domain/providers/claude/Resume.ts"
import { claudeHistory } from "../../../domain/providers/claude/History.ts"
import { claudePermissions } from "../../../domain/providers/claude/Permissions.ts"
import { claudeUsage } from "../../../domain/providers/claude/Usage.ts"
import { claudeSyntax } from "../../../domain/providers/claude/Arguments.ts"
import { define, type Provider } from "../../../services/CLIProvider.ts"
import { lazyRelocation } from "../../../services/RelocationProtocol.ts"
import { hooksOffBy, submitKeyBy } from "../ownSettings.ts"

export const provider: Provider = define(claudeIdentity, {
  detection: claudeDetection,
  input: claudeInput,
  hooksOff: hooksOffBy(() => import("../../../domain/providers/claude/WiringSwitches.ts")),
  submitKey: submitKeyBy(() => import("../../../domain/providers/claude/InputKeys.ts")),
  commands: claudeCommands,
  usage: claudeUsage,
  history: claudeHistory,
  resume: claudeResume,
  relocation: lazyRelocation(() => import("./Relocation.ts").then(({ protocol }) => protocol)),
  syntax: claudeSyntax,
  // Inside another Claude Code (when an agent starts leap, for example) it would act as a part of that one.
  launch: ({ args }) => ({
    command: "claude",
    args,
    env: Object.fromEntries(claudeIdentity.inside.map((name) => [name, null]))
  }),
  permissions: claudePermissions,
  ownStatus: claudeOwnStatus
})
