import type { HookWiring } from "../../../domain/cli/wiring/HookWiring.ts"
import { demoHooks } from "../../../domain/providers/demo/Wiring.ts"

/** How its hooks are wired. */
export const hooks: HookWiring = demoHooks
