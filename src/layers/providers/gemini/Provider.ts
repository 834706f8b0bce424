import { geminiIdentity } from "../../../domain/providers/gemini/Identity.ts"
import { geminiDetection } from "../../../domain/providers/gemini/Detection.ts"
import { geminiInput, geminiCommands } from "../../../domain/providers/gemini/Input.ts"
import { geminiPermissions } from "../../../domain/providers/gemini/Permissions.ts"
import { geminiResume } from "../../../domain/providers/gemini/Resume.ts"
import { geminiHistory } from "../../../domain/providers/gemini/History.ts"
import { geminiUsage } from "../../../domain/providers/gemini/Usage.ts"
import { geminiSyntax } from "../../../domain/providers/gemini/Arguments.ts"
import { define, type Provider } from "../../../services/CLIProvider.ts"
import { lazyRelocation } from "../../../services/RelocationProtocol.ts"
import { hooksOffBy, submitKeyBy } from "../ownSettings.ts"

export const provider: Provider = define(geminiIdentity, {
  detection: geminiDetection,
  input: geminiInput,
  hooksOff: hooksOffBy(() => import("../../../domain/providers/gemini/WiringSwitches.ts")),
  submitKey: submitKeyBy(() => import("../../../domain/providers/gemini/InputKeys.ts")),
  commands: geminiCommands,
  usage: geminiUsage,
  history: geminiHistory,
  resume: geminiResume,
  relocation: lazyRelocation(() => import("./Relocation.ts").then(({ protocol }) => protocol)),
  syntax: geminiSyntax,
  launch: ({ args }) => ({ command: "gemini", args, env: {} }),
  permissions: geminiPermissions
})
