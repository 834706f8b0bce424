import { type ReportedEnd, reportedEndOf } from "./RecentTurns.ts"
import { lastWord, type ReportedTurns, type ReportedTurnEnd } from "./ReportedTurns.ts"
import { secondSince } from "./Beginnings.ts"

/** A message whose turn is sought. The numbers are of events. */
export interface TurnOf {
  readonly attemptSeq: number
  readonly enterSeq: number
  /** What failed before this time, by the CLI's own record, was another turn. */
  readonly enteredAt: number
  /** A turn ran when it was sent. */
  readonly ahead: boolean
  /** Of that turn, or of the user's prompt before it, nothing had been reported. */
  readonly untold: boolean
  /** The reported beginning of its turn, or null. */
  readonly reported: number | null
  /** Another prompt's beginning was reported before this turn's end: one end may belong to both. */
  readonly joined: boolean
  /** `seq` of the reported end of the turn that ran when it was sent: the next end is its own. */
  readonly behind: number | null
}

export const isOwnEnd = ({ of }: { readonly of: number }, { reported }: Pick<TurnOf, "reported">): boolean =>
  of === reported

type RecordedEnd = ReportedEnd & Pick<ReportedTurnEnd, "failedAt">

/** The end of another turn may be reported behind its Enter. */
export const mayFollow = ({ ahead, untold }: Pick<TurnOf, "ahead" | "untold">): boolean => ahead || untold

/** The reported end that certainly belongs to this message's turn, or null. */
export const endOf = (turns: ReportedTurns, turn: TurnOf): RecordedEnd | null => {
  const end = endInOrder(turns, turn)
  return end === null || (end.failedAt !== null && end.failedAt < turn.enteredAt) ? null : end
}

/** The reported end that belongs to this message's turn by the order of beginnings and ends, or null. */
const endInOrder = ({ end, recent }: ReportedTurns, turn: TurnOf): RecordedEnd | null => {
  const since = Math.max(turn.attemptSeq, turn.behind ?? 0)
  if (end === null || end.seq <= since) return null
  if (turn.reported !== null && isOwnEnd(end, turn)) return end
  // A report about another turn changes nothing.
  if (turn.reported !== null) {
    const told = reportedEndOf(recent, turn.reported)
    // a report before it was sent does not belong to its turn
    return told !== null && told.seq > since ? told : null
  }
  // Its beginning was not reported, and the turn before it was over by then.
  const isNewer = end.seq > turn.enterSeq && (end.again || end.start === 0)
  // where no beginnings are reported, an end may only close the failed turn, and none is waited for
  const isFirst = turn.ahead || (turn.untold && end.start > 0)
  return isNewer && end.start <= turn.attemptSeq && (!isFirst || turn.behind !== null) ? end : null
}

/** The end of the turn that ran when the message was sent, if none came since: the message went into that turn. */
export const sharedEnd = ({ end }: ReportedTurns, { behind }: Pick<TurnOf, "behind">): ReportedEnd | null =>
  end !== null && end.seq === behind && end.closedAt === null ? end : null

/** The end by program status, if only this turn has run since. `isLast`: no message was sent after it. */
const statusEndOf = (
  { runs, statusEnd, userEnterSeq }: ReportedTurns,
  turn: TurnOf,
  isLast: boolean
): ReportedEnd | null => {
  const since = turn.ahead ? turn.reported : turn.enterSeq
  const isOnly = isLast && since !== null && secondSince(runs, since) === null && userEnterSeq <= turn.enterSeq
  return isOnly && statusEnd !== null && statusEnd.seq > since ? statusEnd : null
}

/** The reported end that is no other turn's. */
export const ownEnd = (turns: ReportedTurns, turn: TurnOf, isLast: boolean): ReportedEnd | null =>
  lastWord(endOf(turns, turn), statusEndOf(turns, turn, isLast))

/** The reported end is shared with another turn; its own may come late. */
export const isShared = (turns: ReportedTurns, turn: TurnOf, isLast: boolean): boolean =>
  ownEnd(turns, turn, isLast) === null && sharedEnd(turns, turn) !== null

/** The reported end of this message's turn; null if there is none or if it may be another's. */
export const reportedEnd = (turns: ReportedTurns, turn: TurnOf, isLast: boolean): ReportedEnd | null =>
  ownEnd(turns, turn, isLast) ?? sharedEnd(turns, turn)

/** Nothing more will be reported about this turn: after its end, another turn's beginning, work or end was reported. */
export const isSuperseded = ({ end, owed, start }: ReportedTurns, { reported }: Pick<TurnOf, "reported">): boolean => {
  if (reported === null || start.seq <= reported) return false
  return end === null
    ? (owed[0] ?? 0) > reported
    : isOwnEnd(end, { reported })
      ? start.seq > end.seq
      : end.of > reported
}

/** A failure was reported since the message was sent, and it is not certainly of its turn. */
export const isOthersFailure = (turns: ReportedTurns, turn: TurnOf): boolean =>
  turns.end !== null && turns.end.failure !== null && turns.end.seq > turn.attemptSeq && endOf(turns, turn) === null

/**
 * A session at rest does not show how this turn ended. Hooks that report its beginning will report its end, and the
 * rest may follow another turn.
 */
export const isEndUnknown = ({ start, userEnterSeq }: ReportedTurns, turn: TurnOf, isLast: boolean): boolean =>
  start.seq > 0 || turn.joined || !isLast || userEnterSeq > turn.enterSeq

/** The last turn that began is this one, whatever its prompt: all earlier prompts have their beginnings. */
export const isOnlyStart = ({ start, userEnterSeq }: ReportedTurns, turn: TurnOf, isLast: boolean): boolean =>
  start.behind > userEnterSeq && isLast && !turn.ahead && start.seq > turn.enterSeq
