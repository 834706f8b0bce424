import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"
import { readTranscript } from "./Transcript.ts"

export const copilotDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript,
  capabilities: { programStatus: false, ownStatus: false, turnHooks: true, firstHook: "turn", idleCommands: true }
}
