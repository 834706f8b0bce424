import type { HookWiring } from "../../../domain/cli/wiring/HookWiring.ts"
import { cursorAgentHooks } from "../../../domain/providers/cursor-agent/Wiring.ts"

/** How its hooks are wired. */
export const hooks: HookWiring = cursorAgentHooks
