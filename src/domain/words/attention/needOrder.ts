import { naturalOrder } from "../text/naturalOrder.ts"
import { needKinds, type NeedKind } from "./Need.ts"

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
