import type { TurnOutcome } from "../../words/session/Message.ts"
import type { DeliveryCause } from "../../words/wording/deliveryWords.ts"

/**
 * The phases of a message's life in leap's hands. Each has its own data; what ends it, and when time alone does, says
 * its transition (`WaitingPhases`, `TypingPhases`, `TextPhases`, `ClearingPhases`, `SentPhases`). Times are in
 * milliseconds since the epoch, `seq` numbers of events.
 */
export type Phase = WaitingPhase | TypingPhase | SentPhase | EndedTurn

/** Phases with nothing being typed, at most one of each kind. */
export type WaitingPhase = Waiting | Uncertain | LateText

/** The next message of the queue; `since`: since when it could have been typed, null while it cannot. */
export interface Waiting {
  readonly _tag: "Waiting"
  readonly id: string
  readonly since: number | null
}

/**
 * A message that went back to the queue after keys of the user's that may have sent it: a turn that begins after `seq`
 * may be its own.
 */
export interface Uncertain {
  readonly _tag: "Uncertain"
  readonly id: string
  readonly text: string
  readonly seq: number
}

/** Text of an earlier attempt that has not shown in the box, and may still do so; `shownAt`: when it first did. */
export interface LateText {
  readonly _tag: "LateText"
  readonly id: string
  readonly text: string
  readonly userKeys: number
  readonly shownAt: number | null
}

/** What holds of one attempt from its beginning to its end. */
export interface Attempt {
  readonly id: string
  /** The text that is typed, and that the box must show. */
  readonly text: string
  /** `seq` at which it began, and the number of the user's keys by then. */
  readonly attemptSeq: number
  readonly userKeys: number
  /** A turn was running when it began. */
  readonly ahead: boolean
  /** That turn had not been reported to begin. */
  readonly untold: boolean
  /** The user's unsent text that is to be put back; null for none. */
  readonly draft: string | null
}

/** When Enter was first pressed for it, and how often. */
export interface Pressed {
  readonly seq: number
  readonly times: number
}

/** What lies over the box, or has lain over it in this phase (`gone`). */
export interface Cover {
  readonly kind: "picker" | "dialog"
  readonly gone: boolean
}

/**
 * A phase that looks at the box: when it began, the number of whole frames by then, and what came over the box.
 * `redrawn`: the CLI was made to draw anew in it.
 */
interface AtBox {
  readonly attempt: Attempt
  readonly since: number
  readonly frames: number
  readonly cover: Cover | null
  readonly redrawn: boolean
}

/** The delivery of one message, from its attempt until its text has left the box. There is one at a time. */
export type TypingPhase = Recording | Recorded | BoxPhase
export type BoxPhase = Clearing | TextPhase | Withdrawing | Restoring
/** The message's text is in the box, or on its way there. */
export type TextPhase = Typing | Settling | Submitting

/** The attempt is being written to the log. */
export interface Recording {
  readonly _tag: "Recording"
  readonly attempt: Attempt
}

/** The attempt is on disk: events that came in the meantime are taken in before the first byte. */
export interface Recorded {
  readonly _tag: "Recorded"
  readonly attempt: Attempt
  readonly since: number
}

/** The user's draft is being cleared. */
export interface Clearing extends AtBox {
  readonly _tag: "Clearing"
}

/** The text has been written, and is to show. */
export interface Typing extends AtBox {
  readonly _tag: "Typing"
}

/**
 * The box shows the text, as well as it can (`shownAs`), and Enter comes next; `padded`: behind a blank that closes a
 * menu.
 */
export interface Settling extends AtBox {
  readonly _tag: "Settling"
  readonly shownAs: string
  readonly padded: boolean
  readonly pressed: Pressed | null
}

/** Enter has been pressed; `shownSeq`: when the text was last seen in the box. */
export interface Submitting extends AtBox {
  readonly _tag: "Submitting"
  readonly shownAs: string
  readonly padded: boolean
  readonly pressed: Pressed
  readonly shownSeq: number
}

/** The text is being taken out of the box; `shownSeq`: when it was last seen there. */
export interface Withdrawing extends AtBox {
  readonly _tag: "Withdrawing"
  readonly pressed: Pressed | null
  readonly shownSeq: number
  readonly outcome: Outcome
}

/** The message's own way is over; the user's draft is being put back; `written`: it has been typed. */
export interface Restoring extends AtBox {
  readonly _tag: "Restoring"
  readonly pressed: Pressed | null
  readonly written: boolean
}

/**
 * What becomes of a message that was not sent. `counted`: as one of `maxAttempts`. Null: that has been recorded
 * already.
 */
export type Outcome =
  | { readonly _tag: "Requeue"; readonly counted: boolean; readonly why: DeliveryCause }
  | { readonly _tag: "Hold"; readonly why: DeliveryCause }
  | null

export const requeue = (counted: boolean, ...why: DeliveryCause): Outcome => ({ _tag: "Requeue", counted, why })
export const hold = (...why: DeliveryCause): Outcome => ({ _tag: "Hold", why })

/** What holds of a message that the CLI accepted. */
export interface SentMessage {
  readonly id: string
  readonly text: string
  /** A turn ran when it was sent. */
  readonly ahead: boolean
  readonly attemptSeq: number
  readonly enterSeq: number
  readonly submittedAt: number
  readonly frames: number
  /** The beginning of its turn as the CLI reported it; null where it has not. */
  readonly reported: number | null
  /** Another prompt's beginning was reported before this one's end: one end may be that of both. */
  readonly joined: boolean
  /** What ran when it was sent had not been reported to begin. */
  readonly untold: boolean
  /** The reported end of the turn that ran when it was sent; null where it was not reported. */
  readonly behind: number | null
}

/** A message that the CLI accepted, and whose turn is not over. */
export type SentPhase = Submitted | GivenBack | Running

/** Its turn has not been seen to begin. */
export interface Submitted extends SentMessage {
  readonly _tag: "Submitted"
}

/** The same, and since then its text is back in the box. */
export interface GivenBack extends SentMessage {
  readonly _tag: "GivenBack"
  readonly since: number
}

/** Its turn has begun; `seenBusy`: the session has been classified as running in it. */
export interface Running extends SentMessage {
  readonly _tag: "Running"
  readonly since: number
  readonly seenBusy: boolean
}

/** A message whose turn is over, and of which more may be reported: hooks may come late. */
export interface EndedTurn extends SentMessage {
  readonly _tag: "EndedTurn"
  /** Its turn had been seen to begin. */
  readonly hadBegun: boolean
  readonly outcome: TurnOutcome | null
  readonly endedSeq: number
  readonly endedAt: number
  /** Other messages that its answer answered as well: what a limit had cut off. */
  readonly goneOn: ReadonlyArray<string>
}
