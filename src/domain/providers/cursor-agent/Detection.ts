import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"

export const cursorAgentDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  // Cursor Agent keeps its conversations in a database of its own.
  readTranscript: () => [],
  capabilities: { programStatus: false, ownStatus: false, turnHooks: true, firstHook: "turn" }
}
