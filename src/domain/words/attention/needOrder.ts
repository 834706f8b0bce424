import { naturalOrder } from "../text/naturalOrder.ts"
import { needKinds, type NeedKind } from "./Need.ts"

/** A session that needs its user. `since`: epoch milliseconds. */
export interface Needing {
  readonly tag: string
  readonly kind: NeedKind
  readonly since: number
  /** It goes on without the user, or has ended. */
  readonly isPatient: boolean
}

/** A session and its most urgent need, for {@link byNeed}. `until`: null if only the user ends the need. */
export const needing = (
  tag: string,
  { kind, since, until }: { readonly kind: NeedKind; readonly since: number; readonly until: unknown }
): Needing => ({ tag, kind, since: Number.isNaN(since) ? 0 : since, isPatient: until !== null || kind === "ended" })

/** The longest wait comes first, but patient sessions come last. */
export const byNeed = (a: Needing, b: Needing): number =>
  Number(a.isPatient) - Number(b.isPatient) ||
  a.since - b.since ||
  needKinds.indexOf(a.kind) - needKinds.indexOf(b.kind) ||
  naturalOrder(a.tag, b.tag)
