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

/** `until`: null if only the user ends the need. */
interface Lasting {
  readonly kind: NeedKind
  readonly until: unknown
}

const isPatient = ({ kind, until }: Lasting): boolean => until !== null || kind === "ended"

/** A session and its most urgent need, for {@link byNeed}. */
export const needing = (tag: string, need: Lasting & { readonly since: number }): Needing => ({
  tag,
  kind: need.kind,
  since: Number.isNaN(need.since) ? 0 : need.since,
  isPatient: isPatient(need)
})

/** The needs of one session: a patient one comes last, so that it hides none that waits for the user. */
export const byUrgency = (a: Lasting, b: Lasting): number =>
  Number(isPatient(a)) - Number(isPatient(b)) || needKinds.indexOf(a.kind) - needKinds.indexOf(b.kind)

/** The longest wait comes first, but patient sessions come last. */
export const byNeed = (a: Needing, b: Needing): number =>
  Number(a.isPatient) - Number(b.isPatient) ||
  a.since - b.since ||
  needKinds.indexOf(a.kind) - needKinds.indexOf(b.kind) ||
  naturalOrder(a.tag, b.tag)
