import type { Detection } from "../Detection.ts"
import { readHook } from "./CopilotHooks.ts"
import { readScreen } from "./CopilotScreen.ts"
import { readTranscript } from "./CopilotTranscript.ts"

/** What tells the truth about GitHub Copilot CLI. */
export const copilotDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript,
  tells: { programStatus: false, ownStatus: false, turnHooks: true, idleCommands: true }
}
