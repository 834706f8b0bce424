import { codexIdentity } from "../../../domain/providers/codex/Identity.ts"
import { codexDetection } from "../../../domain/providers/codex/Detection.ts"
import { codexInput, codexCommands } from "../../../domain/providers/codex/Input.ts"
import { codexPermissions } from "../../../domain/providers/codex/Permissions.ts"
import { codexArguments, codexFlags, codexSyntax } from "../../../domain/providers/codex/Arguments.ts"
import { codexResume } from "../../../domain/providers/codex/Resume.ts"
import { codexHistory } from "../../../domain/providers/codex/History.ts"
import { codexUsage } from "../../../domain/providers/codex/Usage.ts"
import { define, type Provider } from "../../../services/CLIProvider.ts"
import { lazyRelocation } from "../../../services/RelocationProtocol.ts"
import { hooksOffBy, submitKeyBy } from "../ownSettings.ts"

export const provider: Provider = define(codexIdentity, {
  detection: codexDetection,
  input: codexInput,
  hooksOff: hooksOffBy(() => import("../../../domain/providers/codex/WiringSwitches.ts")),
  submitKey: submitKeyBy(() => import("../../../domain/providers/codex/InputKeys.ts")),
  commands: codexCommands,
  usage: codexUsage,
  history: codexHistory,
  resume: codexResume,
  relocation: lazyRelocation(() => import("./Relocation.ts").then(({ protocol }) => protocol)),
  syntax: codexSyntax,
  launch: ({ args, without }) => ({ command: "codex", args: codexArguments(args, without), env: {} }),
  ownFlags: codexFlags,
  permissions: codexPermissions
})
