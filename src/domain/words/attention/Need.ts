import type { NeedName } from "../session/Session.ts"

/**
 * What a session can need of its human, the most urgent first: what stops it altogether before what goes on by itself
 * in time. `permission`, `question`: the dialog on its screen. `stuck`: nobody can reach it. `failed`: its last turn,
 * or a message that is given up. `held`: messages wait for the human's word. `unknown_screen`: they wait, since leap
 * does not know its screen. `limit`: a usage limit. `ended`: it ended otherwise than it should have.
 */
export const needKinds = [
  "permission",
  "question",
  "stuck",
  "failed",
  "held",
  "unknown_screen",
  "limit",
  "ended"
] as const
/** A kind of need. */
export type NeedKind = (typeof needKinds)[number]

/** What can be done about a need: an operation of the session's, with what it takes. */
export type Offer =
  /** Answers the dialog with this option. */
  | { readonly operation: "answer"; readonly label: string; readonly payload: { readonly answer: string } }
  /** Lets held messages go out, one or all; or tries at once what waits for its time. */
  | { readonly operation: "release"; readonly label: string; readonly payload: { readonly id: string | null } }
  /** Lets messages go out again whose turns failed, one or all. */
  | { readonly operation: "retry"; readonly label: string; readonly payload: { readonly id: string | null } }
  /** Takes a message out of the queue. */
  | { readonly operation: "remove"; readonly label: string; readonly payload: { readonly id: string } }
  | { readonly operation: "stop"; readonly label: string; readonly payload: { readonly force: true } }
  /** Starts the session again, with its conversation. */
  | { readonly operation: "resume"; readonly label: string; readonly payload: {} }
  /** Removes what is kept of a session that has ended. */
  | { readonly operation: "forget"; readonly label: string; readonly payload: {} }

/** One thing that a session needs of its human. Times are ISO 8601. */
export interface Need {
  readonly kind: NeedKind
  readonly since: string
  /** What tells it from another of its kind and time: its dialog in the CLI's words, its messages; "" for nothing. */
  readonly id: string
  /** When it is over by itself; null where only the human ends it, or that is not known. */
  readonly until: string | null
  /** What it is, in one line without its end. */
  readonly text: string
  readonly offers: ReadonlyArray<Offer>
}

/** Whether they are the same need, however it is worded. */
export const isSameNeed = (a: NeedName, b: NeedName): boolean =>
  a.kind === b.kind &&
  a.since === b.since &&
  (a.id === undefined || b.id === undefined ? a.text === b.text : a.id === b.id)
