import type { HookWiring } from "../../../domain/cli/wiring/HookWiring.ts"
import { geminiHooks } from "../../../domain/providers/gemini/Wiring.ts"

/** How its hooks are wired. */
export const hooks: HookWiring = geminiHooks
