import type { Need, NeedKind } from "./Need.ts"

/** How a need is shown: in a word or two, in a terminal's title, by a sign, and as which notice; null: as none. */
interface ShownNeed {
  readonly word: string
  readonly title: string
  readonly sign: string
  readonly style: "warn" | "bad"
  readonly notice: "needs" | "failed" | "limit" | null
}

/** Each kind of need, the same on every surface. Of a host that hangs its host tells nobody. */
export const shownNeeds: Readonly<Record<NeedKind, ShownNeed>> = {
  permission: { word: "permission", title: "needs you", sign: "!", style: "warn", notice: "needs" },
  question: { word: "question", title: "needs you", sign: "?", style: "warn", notice: "needs" },
  stuck: { word: "no answer", title: "needs you", sign: "~", style: "bad", notice: null },
  failed: { word: "failed", title: "failed", sign: "!", style: "bad", notice: "failed" },
  held: { word: "held", title: "needs you", sign: "‖", style: "bad", notice: "needs" },
  unknown_screen: { word: "unreadable", title: "needs you", sign: "‖", style: "bad", notice: "needs" },
  limit: { word: "at limit", title: "limit reached", sign: "!", style: "bad", notice: "limit" },
  ended: { word: "ended", title: "ended", sign: "×", style: "bad", notice: "failed" }
}

/** A need in one line: what it is, and its text. */
export const needLine = ({ kind, text }: Pick<Need, "kind" | "text">): string => `${shownNeeds[kind].word}: ${text}`

/** The needs that are told in a line of their own, where the dialog on the screen is shown with its options. */
export const besideDialog = <N extends Pick<Need, "kind">>(needs: ReadonlyArray<N>): ReadonlyArray<N> =>
  needs.filter(({ kind }) => kind !== "permission" && kind !== "question")

/** Whether messages wait for the human, where nothing has failed. */
export const isOfMessages = (kind: NeedKind): boolean => kind === "held" || kind === "unknown_screen"

const named: ReadonlySet<NeedKind> = new Set(["permission", "question", "ended"])

/** Whether a session's state says the need already. */
export const isNamedByState = (kind: NeedKind): boolean => named.has(kind)
