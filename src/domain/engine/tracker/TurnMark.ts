import { type SessionState, turnOver } from "../../words/session/Session.ts"
import type { Facts } from "./Facts.ts"
import { latest, turnEnded, turnStartOf } from "./TurnFacts.ts"

/** The turn that began last. `isNone`: none has begun; `began` is then the session's start. */
export interface TurnMark {
  readonly began: number
  readonly isNone: boolean
  readonly isResting: boolean
}

/** Milliseconds within which the Enter and the CLI's report of a turn are of the same one. */
const reportedWithin = 2_000

/** A turn begins with its Enter, or where none was seen with the CLI's report. What is sent into it begins none. */
export const nextTurn = (
  mark: TurnMark,
  facts: Pick<Facts, "submitted" | "turnEndedAt" | "turnFailedAt" | "turnStartedAt">,
  state: SessionState
): TurnMark => {
  const { submitted, turnStartedAt } = facts
  const began = latest(turnStartedAt, submitted === null || submitted.command ? null : turnStartOf(submitted))
  const isOver = mark.isNone || turnEnded(facts) >= mark.began
  const isNew = began > mark.began && (isOver || (mark.isResting && began - mark.began > reportedWithin))
  return { ...(isNew ? { began, isNone: false } : mark), isResting: turnOver.has(state) }
}
