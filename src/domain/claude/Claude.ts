import type { Detection } from "../Detection.ts"
import { readHook } from "./ClaudeHooks.ts"
import { readTranscript } from "./ClaudeTranscript.ts"
import { readOwnStatus } from "./ClaudeOwnStatus.ts"
import { readScreen } from "./ClaudeScreen.ts"

/** What tells the truth about Claude Code. */
export const claudeDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus,
  readTranscript,
  tells: { programStatus: true, ownStatus: true, turnHooks: true }
}
