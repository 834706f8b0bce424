import type { Need, NeedKind } from "./Need.ts"

/** A need in a word or two, the same on every surface. */
export const needWords = {
  permission: "permission",
  question: "question",
  stuck: "no answer",
  failed: "failed",
  held: "held",
  unknown_screen: "unreadable",
  limit: "at limit",
  ended: "ended"
} as const satisfies Record<NeedKind, string>

/** A need in one line: its kind and its text. */
export const needLine = ({ kind, text }: Pick<Need, "kind" | "text">): string => `${needWords[kind]}: ${text}`

/** The needs that have a line of their own if the screen's dialog is shown with its options. */
export const besideDialog = <N extends Pick<Need, "kind">>(needs: ReadonlyArray<N>): ReadonlyArray<N> =>
  needs.filter(({ kind }) => kind !== "permission" && kind !== "question")

const named: ReadonlySet<NeedKind> = new Set(["permission", "question", "ended"])

/** Whether a session's state already shows the need. */
export const isNamedByState = (kind: NeedKind): boolean => named.has(kind)
