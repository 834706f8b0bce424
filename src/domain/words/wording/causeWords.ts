import type { MessageCause } from "../session/MessageCause.ts"
import type { BlockerName, NotReady } from "../session/NotReady.ts"
import type { ProblemKind } from "../session/Session.ts"
import type { UnwiredCause } from "../session/UnwiredCause.ts"

/** What is wrong, as people read it. */
export const problemWords = {
  rate_limited: "the usage limit is reached",
  overloaded: "the service fails",
  network: "the service cannot be reached",
  auth: "the account is refused (login, credit or rights)",
  context: "the conversation is full",
  model: "the model, or a tool of the session's, is refused",
  refused: "message after message is refused",
  crashed: "the CLI crashed",
  stuck: "the session is stuck",
  unknown: "the last turn failed"
} as const satisfies Record<ProblemKind, string>

const offWords = (off: ReadonlyArray<string>): string => (off.length === 0 ? "" : ` (${off.join("; ")})`)

/** How it is known that a CLI's hooks do not call leap, as people read it. */
export const unwiredWords = (cause: UnwiredCause): string => {
  switch (cause._tag) {
    case "SwitchedOff":
      return `no hook of it calls leap${offWords(cause.by)}`
    case "RanUnasked":
      return `it ran a tool${cause.tool === null ? "" : ` (${cause.tool})`} about which no hook had asked leap`
    case "NeverCalled":
      return "no hook of it has called leap, though it should have by now"
    case "StoppedCalling":
      return "its hooks have stopped calling leap"
  }
}

/** Why a message is kept back, or failed, as people read it. Nothing reads this again: what decides is the cause. */
export const causeWords = (cause: MessageCause): string => {
  switch (cause._tag) {
    case "HeldByUser":
      return "you held it"
    case "LeftOver":
      return "left over from an earlier run"
    case "BehindFailure": {
      const behind = "it waits behind a turn that failed"
      return cause.problem === "unknown" ? behind : `${behind}: ${problemWords[cause.problem]}`
    }
    case "NotWired":
      return `no hook of its CLI calls leap${offWords(cause.off)}, and your rules rest on them`
    case "TurnFailed":
      return `its turn failed: ${cause.failure}`
  }
}

/** A cause and its words, as a record or a message has them. */
export const because = (cause: MessageCause): { readonly why: string; readonly cause: MessageCause } => ({
  why: causeWords(cause),
  cause
})

/** Conditions under which no message is typed, as people read them. */
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

/** Why a session at rest is not ready, as people read it. */
export const notReadyWords = (cause: NotReady): string =>
  cause._tag === "Blocked" ? blockerWords[cause.by] : cause.text

/** How leap knows a session's state, and why it is not ready where it rests: its reason, as it is told outside. */
export const reasonWords = ({
  notReady = null,
  reason
}: {
  readonly notReady?: NotReady | null
  readonly reason: string
}): string => (notReady === null ? reason : `${reason}; not ready: ${notReadyWords(notReady)}`)
