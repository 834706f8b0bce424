import type { HookWiring } from "../../../domain/cli/wiring/HookWiring.ts"
import { opencodeHooks } from "../../../domain/providers/opencode/Wiring.ts"

/** How its hooks are wired. */
export const hooks: HookWiring = opencodeHooks
