import type { Detection } from "../../cli/provider/Detection.ts"
import type { ScreenPatterns } from "../../store/settings/Settings.ts"
import { patternReader } from "./Screen.ts"

/** How leap detects the state of a program without its own reader: by patterns, and by its program status. */
export const genericDetection = (patterns: ScreenPatterns): Detection => ({
  readScreen: patternReader(patterns),
  readHook: () => [],
  readOwnStatus: () => [],
  readTranscript: () => [],
  capabilities: { programStatus: true, ownStatus: false, turnHooks: false }
})
