import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"

export const cursorAgentDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  // It keeps its conversations in its own database.
  readTranscript: () => [],
  capabilities: { programStatus: false, ownStatus: false, turnHooks: true, firstHook: "turn" }
}
