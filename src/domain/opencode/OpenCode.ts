import type { Detection } from "../Detection.ts"
import { readHook } from "./OpenCodeHooks.ts"
import { readScreen } from "./OpenCodeScreen.ts"

/** What tells the truth about OpenCode: its plugin's events and its screen. */
export const opencodeDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript: () => [],
  tells: { programStatus: false, ownStatus: false, turnHooks: true, firstTurn: 20_000, idleCommands: true }
}
