import { naturalOrder } from "../text/naturalOrder.ts"
import { needKinds, type NeedKind } from "./Need.ts"

/** A session that needs its human; `since`: epoch milliseconds. */
export interface Needing {
  readonly tag: string
  readonly kind: NeedKind
  readonly since: number
  readonly isPatient: boolean
}

/** A session's most urgent need, for a list; null for none. `until` is in the surface's own form. */
export const needing = (
  tag: string,
  { kind, since, until }: { readonly kind: NeedKind; readonly since: number; readonly until: unknown }
): Needing => ({ tag, kind, since: Number.isNaN(since) ? 0 : since, isPatient: until !== null || kind === "ended" })

/** Longest wait first; sessions that continue by themselves or have ended come last. */
export const byNeed = (a: Needing, b: Needing): number =>
  Number(a.isPatient) - Number(b.isPatient) ||
  a.since - b.since ||
  needKinds.indexOf(a.kind) - needKinds.indexOf(b.kind) ||
  naturalOrder(a.tag, b.tag)
