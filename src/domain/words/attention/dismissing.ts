import type { NeedName } from "../session/Session.ts"
import { isSameNeed } from "./Need.ts"
import { allNeedsOf, type NeedFacts } from "./needsOf.ts"

/** A need as it is named. */
export const needName = ({ id, kind, since, text }: NeedName): NeedName => ({
  kind,
  since,
  text,
  ...(id === undefined ? {} : { id })
})

/** What is put aside after these needs are, or with null all; what is not there any more is forgotten. */
export const dismissing = (facts: NeedFacts, needs: ReadonlyArray<NeedName> | null): ReadonlyArray<NeedName> => {
  const { dismissed = [] } = facts
  return allNeedsOf(facts)
    .filter((need) => [...dismissed, ...(needs ?? [need])].some((one) => isSameNeed(one, need)))
    .map(needName)
}
