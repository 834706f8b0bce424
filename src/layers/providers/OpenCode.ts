import { Layer } from "effect"
import { opencodeDetection } from "../../domain/opencode/OpenCode.ts"
import { opencodeInput } from "../../domain/opencode/OpenCodeInput.ts"
import { opencodePermissions } from "../../domain/opencode/OpenCodePermissions.ts"
import { opencodeHooks } from "../../domain/opencode/OpenCodeWiring.ts"
import { opencodeResume } from "../../domain/opencode/OpenCodeResume.ts"
import { opencodeHistory } from "../../domain/opencode/OpenCodeHistory.ts"
import { opencodeUsage } from "../../domain/opencode/OpenCodeUsage.ts"
import { CLIProvider, define, type ProviderRecord } from "../../services/CLIProvider.ts"
import { loadedWhenAsked } from "../../services/RelocationProtocol.ts"

/** OpenCode. */
export const record: ProviderRecord = define({
  id: "opencode",
  displayName: "OpenCode",
  binary: "opencode",
  installHint: "install it with: npm install -g opencode-ai",
  checkedVersion: "1.18.33",
  detection: opencodeDetection,
  input: opencodeInput,
  usage: opencodeUsage,
  history: opencodeHistory,
  resume: opencodeResume,
  relocation: loadedWhenAsked(() => import("../relocations/OpenCode.ts").then(({ protocol }) => protocol)),
  launch: ({ args }) => ({ command: "opencode", args, env: {} }),
  hooks: opencodeHooks,
  permissions: opencodePermissions
})

/** OpenCode as the one provider. */
export const layer: Layer.Layer<CLIProvider> = Layer.succeed(CLIProvider, record)
