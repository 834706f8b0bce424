import type { NeedName } from "../session/Session.ts"
import { isSameNeed } from "./Need.ts"
import { allNeedsOf, type NeedFacts } from "./needsOf.ts"

/** The identity of a need. */
export const needName = ({ id, kind, since, text }: NeedName): NeedName => ({
  kind,
  since,
  text,
  ...(id === undefined ? {} : { id })
})

/** The dismissed needs after these, or with null all, are dismissed; needs that no longer exist are dropped. */
export const dismissing = (facts: NeedFacts, needs: ReadonlyArray<NeedName> | null): ReadonlyArray<NeedName> => {
  const { dismissed = [] } = facts
  return allNeedsOf(facts)
    .filter((need) => [...dismissed, ...(needs ?? [need])].some((one) => isSameNeed(one, need)))
    .map(needName)
}
