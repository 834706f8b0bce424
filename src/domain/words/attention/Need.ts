import { naturalOrder } from "../text/naturalOrder.ts"

/**
 * What a session can need of its human, the most urgent first: what stops it altogether before what goes on by itself
 * in time. `permission`, `question`: the dialog on its screen. `stuck`: nobody can reach it. `failed`: its last turn,
 * or a message that is given up. `held`: messages wait for the human's word. `limit`: a usage limit. `ended`: it ended
 * otherwise than it should have.
 */
export const needKinds = ["permission", "question", "stuck", "failed", "held", "limit", "ended"] as const
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
  /** When it is over by itself; null where only the human ends it, or that is not known. */
  readonly until: string | null
  /** What it is, in one line without its end. */
  readonly text: string
  readonly offers: ReadonlyArray<Offer>
}

/** A session in a list of those that need their human; `since`: milliseconds since the epoch. */
export interface Needing {
  readonly tag: string
  readonly kind: NeedKind
  readonly since: number
  readonly isPatient: boolean
}

/** What a list needs to know of a session's most urgent need. `until` as the surface has it: null for none. */
export const needing = (
  tag: string,
  { kind, since, until }: { readonly kind: NeedKind; readonly since: number; readonly until: unknown }
): Needing => ({ tag, kind, since: Number.isNaN(since) ? 0 : since, isPatient: until !== null || kind === "ended" })

/**
 * The order in which a human looks at sessions: what goes on by itself in time, or has ended, behind all else, and of
 * the same the longest wait first.
 */
export const byNeed = (a: Needing, b: Needing): number =>
  Number(a.isPatient) - Number(b.isPatient) ||
  a.since - b.since ||
  needKinds.indexOf(a.kind) - needKinds.indexOf(b.kind) ||
  naturalOrder(a.tag, b.tag)
