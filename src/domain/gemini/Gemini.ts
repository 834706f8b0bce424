import type { Detection } from "../Detection.ts"
import { readHook } from "./GeminiHooks.ts"
import { readScreen } from "./GeminiScreen.ts"
import { readTranscript } from "./GeminiTranscript.ts"

/**
 * What tells the truth about Gemini CLI. It keeps no status file, its turns may end without a hook, and its commands
 * show work only when they work for long.
 */
export const geminiDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript,
  tells: { programStatus: false, ownStatus: false, turnHooks: true, idleCommands: true }
}
