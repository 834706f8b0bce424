import * as Overlay from "../../../src/domain/surfaces/overlay/Overlay.ts"
import type { Key } from "../../../src/domain/surfaces/tui/Keys.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { sessionStatus } from "./sessionStatus.ts"

/** What lies over the screen of a session that is attached: what takes a key, and what there is after it. */
export const overlayOf = (begun: Overlay.Overlay, status: Partial<SessionStatus>) => {
  let now: Overlay.Overlay | null = begun
  const context: Overlay.OverlayContext = {
    tag: "one",
    cols: 80,
    status: sessionStatus({ tag: "one", ...status }),
    readOnly: false,
    saved: [],
    left: false,
    names: { command: "ctrl-]", capture: null, detach: "ctrl-\\", suspend: null },
    captureKey: null
  }
  return {
    press: (key: Key): void => void (now = now === null ? null : Overlay.press(now, key, context, 0).overlay),
    overlay: () => now
  }
}
