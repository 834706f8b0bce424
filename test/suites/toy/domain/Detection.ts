import type { Detection } from "../../../../src/domain/cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"

/** What tells the truth about Toy: its screen, and its hooks where they are wired. */
export const toyDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript: () => [],
  capabilities: { programStatus: false, ownStatus: false, turnHooks: false }
}
