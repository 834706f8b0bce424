import type { BlockerName, NotReady } from "../session/NotReady.ts"

/** The conditions that prevent typing a message, in words. */
export const blockerWords = {
  torn: "the screen is being drawn",
  "unknown-screen":
    "its screen is not known to leap: type there yourself, or use `leap send --force`; `leap doctor` says more",
  "no-box": "its input box is not on screen",
  dialog: "a dialog is open",
  picker: "a picker is open",
  draft: "unsent text is in the box",
  "screen-not-resting": "the screen does not say that it rests",
  "screen-works": "the screen shows work",
  "title-works": "the terminal title shows work",
  "not-told-rest": "the CLI does not say that it rests",
  asked: "a permission is being asked for",
  "logged-out": "the CLI wants a login",
  "box-settles": "the box has just come up",
  "rest-settles": "the turn has just ended",
  "start-settles": "the CLI has just started",
  key: "the user has just pressed a key",
  "view-key": "the user has pressed a key that opens views",
  "picker-closed": "a picker has just closed",
  command: "a command was just given",
  unanswered: "a prompt was just given, and nothing has come of it yet",
  "end-unknown": "nothing that is known shows that the turn is over",
  "typed-ahead": "a prompt was typed ahead",
  recovering: "a request of the last turn failed and was tried again",
  resized: "the terminal was just resized"
} as const satisfies Record<BlockerName, string>

/** Why a session at rest is not ready, in words. */
export const notReadyWords = (cause: NotReady): string =>
  cause._tag === "Blocked" ? blockerWords[cause.by] : cause.text
