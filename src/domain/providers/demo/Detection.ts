import type { Detection } from "../../cli/provider/Detection.ts"
import { readHook } from "./Hooks.ts"
import { readScreen } from "./Screen.ts"

/** How the state of the bundled demo CLI is detected. */
export const demoDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript: () => [],
  capabilities: { programStatus: true, ownStatus: false, turnHooks: true, firstHook: "start" }
}
