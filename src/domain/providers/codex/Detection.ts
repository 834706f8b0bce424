import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"
import { readTranscript } from "./Transcript.ts"

export const codexDetection: Detection = {
  readScreen,
  refusedPrompt: /^\S {1,2}Blocked by hook\b/,
  readHook,
  readOwnStatus: () => [],
  readTranscript,
  capabilities: { programStatus: true, ownStatus: false, turnHooks: true, firstHook: "turn" }
}
