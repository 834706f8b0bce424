import type { NeedName } from "../session/Session.ts"
import { isSameNeed } from "./Need.ts"
import { needName } from "./needName.ts"
import { allNeedsOf, type NeedFacts } from "./needsOf.ts"

/** What is put aside after these needs are, or with null all; what is not there any more is forgotten. */
export const dismissing = (facts: NeedFacts, needs: ReadonlyArray<NeedName> | null): ReadonlyArray<NeedName> => {
  const { dismissed = [] } = facts
  return allNeedsOf(facts)
    .filter((need) => [...dismissed, ...(needs ?? [need])].some((one) => isSameNeed(one, need)))
    .map(needName)
}
