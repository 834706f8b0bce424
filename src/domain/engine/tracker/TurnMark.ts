import { type SessionState, turnOver } from "../../words/session/Session.ts"
import type { Facts } from "./Facts.ts"
import { latest, turnEnded, turnStartOf } from "./TurnFacts.ts"

/**
 * The turn that began last. `isNone`: none has begun; `began` is then the session's start. `latest`: the latest
 * beginning that is of this turn, too: the CLI's report of it, or what was sent into it.
 */
export interface TurnMark {
  readonly began: number
  readonly latest: number
  readonly isNone: boolean
  readonly isResting: boolean
}

/** Before the first turn of a session that started at this time. */
export const noTurn = (startedAt: number): TurnMark => ({
  began: startedAt,
  latest: startedAt,
  isNone: true,
  isResting: true
})

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
  const ended = turnEnded(facts)
  // a beginning before the last end is of the turn that has ended
  const isOver = mark.isNone || (ended >= mark.began && began > ended)
  const isNew = began > mark.latest && (isOver || (mark.isResting && began - mark.latest > reportedWithin))
  return {
    ...mark,
    ...(isNew ? { began, isNone: false } : {}),
    latest: Math.max(mark.latest, began),
    isResting: turnOver.has(state)
  }
}
