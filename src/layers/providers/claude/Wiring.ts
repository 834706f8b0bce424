import type { HookWiring } from "../../../domain/cli/wiring/HookWiring.ts"
import { claudeHooks } from "../../../domain/providers/claude/Wiring.ts"

/** How its hooks are wired. */
export const hooks: HookWiring = claudeHooks
