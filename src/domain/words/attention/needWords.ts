import type { Need, NeedKind } from "./Need.ts"

/** A need in a word or two, the same on every surface. */
export const needWords: Readonly<Record<NeedKind, string>> = {
  permission: "permission",
  question: "question",
  stuck: "no answer",
  failed: "failed",
  held: "held",
  unknown_screen: "unreadable",
  limit: "at limit",
  ended: "ended"
}

/** A need in one line: what it is, and its text. */
export const needLine = ({ kind, text }: Pick<Need, "kind" | "text">): string => `${needWords[kind]}: ${text}`

const named: ReadonlySet<NeedKind> = new Set(["permission", "question", "ended"])

/** Whether a session's state says the need already. */
export const isNamedByState = (kind: NeedKind): boolean => named.has(kind)
