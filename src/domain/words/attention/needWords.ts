import type { NeedKind } from "./Need.ts"

/** A need in a word or two, the same on every surface. */
export const needWords = {
  permission: "permission",
  question: "question",
  stuck: "no answer",
  failed: "failed",
  held: "held",
  limit: "at limit",
  ended: "ended"
} as const satisfies Record<NeedKind, string>

const named: ReadonlySet<NeedKind> = new Set(["permission", "question", "ended"])

/** Whether a session's state says the need already. */
export const isNamedByState = (kind: NeedKind): boolean => named.has(kind)
