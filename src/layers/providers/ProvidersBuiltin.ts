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
    () => import("./claude/Wiring.ts")
  ),
  registered(
    codexIdentity,
    () => import("./codex/Provider.ts"),
    () => import("./codex/Wiring.ts")
  ),
  registered(
    geminiIdentity,
    () => import("./gemini/Provider.ts"),
    () => import("./gemini/Wiring.ts")
  ),
  registered(
    copilotIdentity,
    () => import("./copilot/Provider.ts"),
    () => import("./copilot/Wiring.ts")
  ),
  registered(
    cursorAgentIdentity,
    () => import("./cursor-agent/Provider.ts"),
    () => import("./cursor-agent/Wiring.ts")
  ),
  registered(
    opencodeIdentity,
    () => import("./opencode/Provider.ts"),
    () => import("./opencode/Wiring.ts")
  ),
  registered(genericIdentity, () => import("./generic/Provider.ts")),
  registered(
    demoIdentity,
    () => import("./demo/Provider.ts"),
    () => import("./demo/Wiring.ts")
  )
]

/** The built-in CLIs, without the user's settings. */
export const layer: Layer.Layer<Providers> = layerOf(registrations)
