import type { Need, NeedKind } from "./Need.ts"
import { type NeedFacts, needOf, needsOf } from "./needsOf.ts"

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

/** The state of a session, and its need if the state does not show it: `running`, `idle, failed`. */
export const stateWords = (facts: NeedFacts): string => {
  const state = facts.state.replace("_", " ")
  const need = needOf(facts)
  return need === null || isNamedByState(need.kind) ? state : `${state}, ${needWords[need.kind]}`
}

/** The line about a session: its most urgent need, else the problem that its CLI is handling, else its activity. */
export const currentLine = (facts: NeedFacts): string | null =>
  needOf(facts)?.text ?? facts.problem?.message ?? facts.message

/** A session's needs, as rows of a table. */
export const needRows = (facts: NeedFacts): ReadonlyArray<readonly [string, string]> =>
  needsOf(facts).map((need) => ["needs you", needLine(need)])
