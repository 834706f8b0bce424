import type { Detection } from "../Detection.ts"
import { readHook } from "./CursorHooks.ts"
import { readScreen } from "./CursorScreen.ts"

/** What tells the truth about Cursor Agent. */
export const cursorDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  // Its conversations are kept in a database of its own.
  readTranscript: () => [],
  tells: { programStatus: false, ownStatus: false, turnHooks: true }
}
