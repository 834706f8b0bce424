import { Layer } from "effect"
import type { CliIdentity } from "../../domain/cli/provider/Identity.ts"
import type { HookWiring } from "../../domain/cli/wiring/HookWiring.ts"
import { claudeIdentity } from "../../domain/providers/claude/Identity.ts"
import { codexIdentity } from "../../domain/providers/codex/Identity.ts"
import { copilotIdentity } from "../../domain/providers/copilot/Identity.ts"
import { cursorAgentIdentity } from "../../domain/providers/cursor-agent/Identity.ts"
import { demoIdentity } from "../../domain/providers/demo/Identity.ts"
import { geminiIdentity } from "../../domain/providers/gemini/Identity.ts"
import { genericIdentity } from "../../domain/providers/generic/Identity.ts"
import { opencodeIdentity } from "../../domain/providers/opencode/Identity.ts"
import { CLIProvider, type Provider } from "../../services/CLIProvider.ts"
import type { Providers } from "../../services/Providers.ts"
import { layerOf, registered, type Registration } from "./registry.ts"

const builtin = (
  identity: CliIdentity,
  load: () => Promise<{ readonly provider: Provider }>,
  loadWiring?: () => Promise<HookWiring>
): Registration =>
  registered(
    identity,
    () => load().then(({ provider }) => ({ layer: Layer.succeed(CLIProvider, provider) })),
    loadWiring
  )

/** The built-in CLIs, in the order of lists. A new one is two folders and a line here. */
export const registrations: ReadonlyArray<Registration> = [
  builtin(
    claudeIdentity,
    () => import("./claude/Provider.ts"),
    () => import("../../domain/providers/claude/Wiring.ts").then(({ claudeHooks }) => claudeHooks)
  ),
  builtin(
    codexIdentity,
    () => import("./codex/Provider.ts"),
    () => import("../../domain/providers/codex/Wiring.ts").then(({ codexHooks }) => codexHooks)
  ),
  builtin(
    geminiIdentity,
    () => import("./gemini/Provider.ts"),
    () => import("../../domain/providers/gemini/Wiring.ts").then(({ geminiHooks }) => geminiHooks)
  ),
  builtin(
    copilotIdentity,
    () => import("./copilot/Provider.ts"),
    () => import("../../domain/providers/copilot/Wiring.ts").then(({ copilotHooks }) => copilotHooks)
  ),
  builtin(
    cursorAgentIdentity,
    () => import("./cursor-agent/Provider.ts"),
    () => import("../../domain/providers/cursor-agent/Wiring.ts").then(({ cursorAgentHooks }) => cursorAgentHooks)
  ),
  builtin(
    opencodeIdentity,
    () => import("./opencode/Provider.ts"),
    () => import("../../domain/providers/opencode/Wiring.ts").then(({ opencodeHooks }) => opencodeHooks)
  ),
  builtin(genericIdentity, () => import("./generic/Provider.ts")),
  builtin(
    demoIdentity,
    () => import("./demo/Provider.ts"),
    () => import("../../domain/providers/demo/Wiring.ts").then(({ demoHooks }) => demoHooks)
  )
]

/** The built-in CLIs, without the user's settings. */
export const layer: Layer.Layer<Providers> = layerOf(registrations)
