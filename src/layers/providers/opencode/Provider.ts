import { opencodeIdentity } from "../../../domain/providers/opencode/Identity.ts"
import { opencodeDetection } from "../../../domain/providers/opencode/Detection.ts"
import { opencodeInput, opencodeCommands } from "../../../domain/providers/opencode/Input.ts"
import { opencodePermissions } from "../../../domain/providers/opencode/Permissions.ts"
import { opencodeResume } from "../../../domain/providers/opencode/Resume.ts"
import { opencodeHistory } from "../../../domain/providers/opencode/History.ts"
import { opencodeUsage } from "../../../domain/providers/opencode/Usage.ts"
import { opencodeSyntax } from "../../../domain/providers/opencode/Arguments.ts"
import { define, type Provider } from "../../../services/CLIProvider.ts"
import { lazyRelocation } from "../../../services/RelocationProtocol.ts"
import { hooksOffBy, submitKeyBy } from "../ownSettings.ts"

export const provider: Provider = define(opencodeIdentity, {
  detection: opencodeDetection,
  input: opencodeInput,
  hooksOff: hooksOffBy(() => import("../../../domain/providers/opencode/WiringSwitches.ts")),
  submitKey: submitKeyBy(() => import("../../../domain/providers/opencode/InputKeys.ts")),
  commands: opencodeCommands,
  usage: opencodeUsage,
  history: opencodeHistory,
  resume: opencodeResume,
  relocation: lazyRelocation(() => import("./Relocation.ts").then(({ protocol }) => protocol)),
  syntax: opencodeSyntax,
  launch: ({ args }) => ({ command: "opencode", args, env: {} }),
  permissions: opencodePermissions
})
