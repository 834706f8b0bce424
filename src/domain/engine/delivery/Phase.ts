import type { TurnOutcome } from "../../words/session/Message.ts"
import type { DeliveryCause } from "../../words/wording/deliveryWords.ts"

/**
 * The phases of a message while leap handles it. Each has its own data; its transition says what ends it, also by time
 * alone (`WaitingPhases`, `TypingPhases`, `TextPhases`, `ClearingPhases`, `SentPhases`). Times are in milliseconds
 * since the epoch, `seq` are numbers of events.
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
 * A message that went back to the queue, although a key of the user's may have sent it: a turn that begins after `seq`
 * may be its own.
 */
export interface Uncertain {
  readonly _tag: "Uncertain"
  readonly id: string
  readonly text: string
  readonly seq: number
}

/** Text of an earlier attempt that has not shown in the box, but may still do so; `shownAt`: when it first did. */
export interface LateText {
  readonly _tag: "LateText"
  readonly id: string
  readonly text: string
  readonly userKeys: number
  readonly shownAt: number | null
}

/** The facts of one attempt from its beginning to its end. */
export interface Attempt {
  readonly id: string
  /** The text that is typed, and that the box must show. */
  readonly text: string
  /** `seq` at which it began, and the number of the user's keys up to then. */
  readonly attemptSeq: number
  readonly userKeys: number
  /** A turn was running when it began. */
  readonly ahead: boolean
  /** That turn, or the user's prompt before it, had not been reported to begin, nor to end. */
  readonly untold: boolean
  /** The user's unsent text that must be restored; null for none. */
  readonly draft: string | null
}

/** When Enter was first pressed for it, and how often. */
export interface Pressed {
  readonly seq: number
  readonly at: number
  readonly times: number
}

/** What covers the box, or has covered it in this phase (`gone`). */
export interface Cover {
  readonly kind: "picker" | "dialog"
  readonly gone: boolean
}

/**
 * A phase that watches the box: when it began, the number of complete frames up to then, and what covered the box.
 * `redrawn`: the CLI was made to redraw in it.
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

/** The attempt is on disk: events that came meanwhile are handled before the first byte. */
export interface Recorded {
  readonly _tag: "Recorded"
  readonly attempt: Attempt
  readonly since: number
}

/** The user's draft is being cleared. */
export interface Clearing extends AtBox {
  readonly _tag: "Clearing"
}

/** The text has been written and must show. */
export interface Typing extends AtBox {
  readonly _tag: "Typing"
}

/**
 * The box shows the text as well as it can (`shownAs`), and Enter comes next; `padded`: after a blank that closes a
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

/** The message is finished; the user's draft is being restored; `written`: it has been typed. */
export interface Restoring extends AtBox {
  readonly _tag: "Restoring"
  readonly pressed: Pressed | null
  readonly written: boolean
}

/** The outcome of a message that was not sent. `counted`: as one of `maxAttempts`. Null: it is recorded already. */
export type Outcome =
  | { readonly _tag: "Requeue"; readonly counted: boolean; readonly why: DeliveryCause }
  | { readonly _tag: "Hold"; readonly why: DeliveryCause }
  | null

export const requeue = (counted: boolean, ...why: DeliveryCause): Outcome => ({ _tag: "Requeue", counted, why })
export const hold = (...why: DeliveryCause): Outcome => ({ _tag: "Hold", why })

/** The facts of a message that the CLI accepted. */
export interface SentMessage {
  readonly id: string
  readonly text: string
  /** A turn ran when it was sent. */
  readonly ahead: boolean
  readonly attemptSeq: number
  readonly enterSeq: number
  /** When Enter was pressed for it; 0 where leap did not press it. What failed earlier was another turn. */
  readonly enteredAt: number
  readonly submittedAt: number
  readonly frames: number
  /** The beginning of its turn as the CLI reported it; null where it has not. */
  readonly reported: number | null
  /** Another prompt's beginning was reported before this one's end: one end may belong to both. */
  readonly joined: boolean
  /** The turn that ran when it was sent, or the user's prompt before it, had not been reported to begin. */
  readonly untold: boolean
  /** The reported end of that turn; null where it was not reported. */
  readonly behind: number | null
}

/** A message that the CLI accepted, and whose turn is not over. */
export type SentPhase = Submitted | GivenBack | Running

/** No sign of its turn's beginning yet. */
export interface Submitted extends SentMessage {
  readonly _tag: "Submitted"
}

/** As `Submitted`, and its text is back in the box since. */
export interface GivenBack extends SentMessage {
  readonly _tag: "GivenBack"
  readonly since: number
}

/** Its turn has begun; `seenBusy`: the session was classified as running in it. */
export interface Running extends SentMessage {
  readonly _tag: "Running"
  readonly since: number
  readonly seenBusy: boolean
}

/** A message whose turn is over, and about which hooks may still report more. */
export interface EndedTurn extends SentMessage {
  readonly _tag: "EndedTurn"
  /** Its turn's beginning had been observed. */
  readonly hadBegun: boolean
  readonly outcome: TurnOutcome | null
  readonly endedSeq: number
  readonly endedAt: number
  /** Other messages that its answer answered too: those that a limit had cut off. */
  readonly goneOn: ReadonlyArray<string>
}
