import { type Facts, rootRecord, type Submission } from "./Facts.ts"

/** The latest of some times; -Infinity if all are null. */
export const latest = (...moments: ReadonlyArray<number | null>): number =>
  moments.reduce<number>((max, moment) => (moment !== null && moment > max ? moment : max), -Infinity)

/** When a submission began a turn; null if it was typed ahead of a turn that something else began. */
export const turnStartOf = ({ ahead, at, behind }: Submission): number | null => (ahead ? behind : at)

export const turnBegan = ({ submitted, turnStartedAt }: Facts): number =>
  latest(turnStartedAt, submitted === null ? null : turnStartOf(submitted))

export const turnEnded = ({ turnEndedAt, turnFailedAt }: Pick<Facts, "turnEndedAt" | "turnFailedAt">): number =>
  latest(turnEndedAt, turnFailedAt)

/** When the last prompt was sent, if no source has shown or reported an effect of it since; null otherwise. */
export const unansweredPromptAt = ({
  failedRequest,
  submitted,
  turnEndedAt,
  turnFailedAt,
  turnStartedAt,
  workedAt
}: Facts): number | null => {
  const since = submitted === null || submitted.command ? null : turnStartOf(submitted)
  if (since === null) return null
  return latest(turnStartedAt, workedAt, turnEndedAt, turnFailedAt, failedRequest?.at ?? null) > since ? null : since
}

/**
 * The box alone has replaced the running indicator, and no source shows whether the turn is over or between two phases:
 * the CLI reports no status, and its hooks have reported no end. Its title may lag behind.
 */
export const isLull = (facts: Facts): boolean => {
  const {
    foundRestAt,
    ownStatus,
    records,
    visibleSince: { quiet },
    workedAt
  } = facts
  return (
    rootRecord(records) === null &&
    (ownStatus === null || ownStatus.phase === "gone") &&
    quiet !== null &&
    workedAt !== null &&
    latest(turnEnded(facts), foundRestAt) < workedAt
  )
}
