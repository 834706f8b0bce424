import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readTranscript } from "./Transcript.ts"
import { readOwnStatus } from "./OwnStatus.ts"
import { readScreen } from "./Screen.ts"

export const claudeDetection: Detection = {
  readScreen,
  refusedPrompt: /^\S {1,2}UserPromptSubmit operation blocked by hook\b/,
  readHook,
  readOwnStatus,
  readTranscript,
  capabilities: { programStatus: true, ownStatus: true, turnHooks: true, firstHook: "start" }
}
