import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"

export const demoDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript: () => [],
  capabilities: { programStatus: true, ownStatus: false, turnHooks: true, firstHook: "start" }
}
