import type { HookWiring } from "../../../domain/cli/wiring/HookWiring.ts"
import { codexHooks } from "../../../domain/providers/codex/Wiring.ts"

/** How its hooks are wired. */
export const hooks: HookWiring = codexHooks
