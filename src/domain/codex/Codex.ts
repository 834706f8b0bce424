import type { Detection } from "../Detection.ts"
import { readHook } from "./CodexHooks.ts"
import { readScreen } from "./CodexScreen.ts"
import { readTranscript } from "./CodexTranscript.ts"

/** What tells the truth about Codex. It keeps no status file, and a turn that fails ends without a hook. */
export const codexDetection: Detection = {
  readScreen,
  readHook,
  readOwnStatus: () => [],
  readTranscript,
  tells: { programStatus: true, ownStatus: false, turnHooks: true }
}
