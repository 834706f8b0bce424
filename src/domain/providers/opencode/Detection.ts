import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"

export const opencodeDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript: () => [],
  capabilities: {
    programStatus: false,
    ownStatus: false,
    turnHooks: true,
    firstHook: "turn",
    firstTurn: 20_000,
    idleCommands: true
  }
}
