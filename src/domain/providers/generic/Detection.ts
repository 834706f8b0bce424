import type { Detection } from "../../cli/provider/Detection.ts"
import type { ScreenPatterns } from "../../rules/settings/Settings.ts"
import { patternReader } from "./Screen.ts"

/** How the state of a program is detected that leap knows by patterns only: by those, and by its program status. */
export const genericDetection = (patterns: ScreenPatterns): Detection => ({
  readScreen: patternReader(patterns),
  readHook: () => [],
  readOwnStatus: () => [],
  readTranscript: () => [],
  capabilities: { programStatus: true, ownStatus: false, turnHooks: false }
})
