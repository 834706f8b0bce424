import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"
import { readTranscript } from "./Transcript.ts"

/** How Codex's state is detected. It keeps no status file, and a failed turn ends without a hook. */
export const codexDetection: Detection = {
  readScreen,
  refusedPrompt: /^\S {1,2}Blocked by hook\b/,
  readHook,
  readOwnStatus: () => [],
  readTranscript,
  capabilities: { programStatus: true, ownStatus: false, turnHooks: true, firstHook: "turn" }
}
