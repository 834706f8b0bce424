import type { NeedName } from "../session/Session.ts"

/**
 * A session's possible needs, the most urgent first: those that stop it completely come before those that end by
 * themselves. `permission`, `question`: the dialog on its screen. `stuck`: nobody can reach it. `failed`: its last
 * turn, or a message that is given up. `held`: messages wait for the user. `unknown_screen`: messages wait because leap
 * does not know its screen. `limit`: a usage limit. `ended`: it ended unexpectedly.
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

/** A possible action on a need: an operation of the session, with its payload. */
export type Offer =
  /** Answers the dialog with this option. */
  | { readonly operation: "answer"; readonly label: string; readonly payload: { readonly answer: string } }
  /** Releases held messages, one or all; or tries immediately a message that waits for its time. */
  | { readonly operation: "release"; readonly label: string; readonly payload: { readonly id: string | null } }
  /** Retries messages whose turns failed, one or all. */
  | { readonly operation: "retry"; readonly label: string; readonly payload: { readonly id: string | null } }
  /** Removes a message from the queue. */
  | { readonly operation: "remove"; readonly label: string; readonly payload: { readonly id: string } }
  | { readonly operation: "stop"; readonly label: string; readonly payload: { readonly force: true } }
  /** Starts the session again with its conversation. */
  | { readonly operation: "resume"; readonly label: string; readonly payload: {} }
  /** Deletes the data of a session that has ended. */
  | { readonly operation: "forget"; readonly label: string; readonly payload: {} }

/** One need of a session. Times are ISO 8601. */
export interface Need {
  readonly kind: NeedKind
  readonly since: string
  /** Distinguishes it from others of its kind and time: its dialog in the CLI's words, its messages; "" for nothing. */
  readonly id: string
  /** When it ends by itself; null if only the user ends it, or if this is unknown. */
  readonly until: string | null
  /** The need in one line, without its end. */
  readonly text: string
  readonly offers: ReadonlyArray<Offer>
}

/** Whether they are the same need: by its id, however it is worded, or without an id by its text. */
export const isSameNeed = (a: NeedName, b: NeedName): boolean =>
  a.kind === b.kind &&
  a.since === b.since &&
  (a.id === undefined || b.id === undefined ? a.text === b.text : a.id === b.id)
