import type { NeedName } from "../session/Session.ts"

/** A need as it is named. */
export const needName = ({ id, kind, since, text }: NeedName): NeedName => ({
  kind,
  since,
  text,
  ...(id === undefined ? {} : { id })
})
