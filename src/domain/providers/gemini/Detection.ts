import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"
import { readTranscript } from "./Transcript.ts"

/** How Gemini CLI's state is detected. Turns may end without a hook, and short commands show no work. */
export const geminiDetection: Detection = {
  readScreen,
  refusedPrompt: /^\S {1,2}Agent execution blocked\b/,
  readHook,
  readOwnStatus: () => [],
  readTranscript,
  capabilities: { programStatus: false, ownStatus: false, turnHooks: true, firstHook: "start", idleCommands: true }
}
