import type { Layer } from "effect"
import { claudeIdentity } from "../../domain/providers/claude/Identity.ts"
import { codexIdentity } from "../../domain/providers/codex/Identity.ts"
import { copilotIdentity } from "../../domain/providers/copilot/Identity.ts"
import { cursorAgentIdentity } from "../../domain/providers/cursor-agent/Identity.ts"
import { demoIdentity } from "../../domain/providers/demo/Identity.ts"
import { geminiIdentity } from "../../domain/providers/gemini/Identity.ts"
import { genericIdentity } from "../../domain/providers/generic/Identity.ts"
import { opencodeIdentity } from "../../domain/providers/opencode/Identity.ts"
import type { Providers } from "../../services/Providers.ts"
import { layerOf, registered, type Registration } from "./registry.ts"

/** The built-in CLIs, in the order in which they are listed. A new one is two folders and a line here. */
export const registrations: ReadonlyArray<Registration> = [
  registered(
    claudeIdentity,
    () => import("./claude/Provider.ts"),
    () => import("../../domain/providers/claude/Wiring.ts").then(({ claudeHooks }) => claudeHooks)
  ),
  registered(
    codexIdentity,
    () => import("./codex/Provider.ts"),
    () => import("../../domain/providers/codex/Wiring.ts").then(({ codexHooks }) => codexHooks)
  ),
  registered(
    geminiIdentity,
    () => import("./gemini/Provider.ts"),
    () => import("../../domain/providers/gemini/Wiring.ts").then(({ geminiHooks }) => geminiHooks)
  ),
  registered(
    copilotIdentity,
    () => import("./copilot/Provider.ts"),
    () => import("../../domain/providers/copilot/Wiring.ts").then(({ copilotHooks }) => copilotHooks)
  ),
  registered(
    cursorAgentIdentity,
    () => import("./cursor-agent/Provider.ts"),
    () => import("../../domain/providers/cursor-agent/Wiring.ts").then(({ cursorAgentHooks }) => cursorAgentHooks)
  ),
  registered(
    opencodeIdentity,
    () => import("./opencode/Provider.ts"),
    () => import("../../domain/providers/opencode/Wiring.ts").then(({ opencodeHooks }) => opencodeHooks)
  ),
  registered(genericIdentity, () => import("./generic/Provider.ts")),
  registered(
    demoIdentity,
    () => import("./demo/Provider.ts"),
    () => import("../../domain/providers/demo/Wiring.ts").then(({ demoHooks }) => demoHooks)
  )
]

/** The built-in CLIs, without the user's settings. */
export const layer: Layer.Layer<Providers> = layerOf(registrations)
