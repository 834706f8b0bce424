import type { HookWiring } from "../../../domain/cli/wiring/HookWiring.ts"
import { copilotHooks } from "../../../domain/providers/copilot/Wiring.ts"

/** How its hooks are wired. */
export const hooks: HookWiring = copilotHooks
