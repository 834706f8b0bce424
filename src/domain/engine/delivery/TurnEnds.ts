import { type ReportedEnd, toldEnd } from "./RecentTurns.ts"
import { lastWord, type ReportedTurns, type ToldEnd } from "./ReportedTurns.ts"

/** A message whose turn is asked for. Numbers are of events. */
export interface TurnOf {
  readonly attemptSeq: number
  readonly enterSeq: number
  /** A turn ran when it was sent. */
  readonly ahead: boolean
  /** The beginning of its turn, as it was reported; null where it was not. */
  readonly reported: number | null
  /** Another prompt's beginning was reported before its end was: one end may be that of both. */
  readonly joined: boolean
  /** `seq` of the end of the turn that ran when it was sent, where that was reported: the next end is its own. */
  readonly behind: number | null
}

/** The end belongs to this turn, whose beginning was told. */
export const isOwnEnd = ({ of }: { readonly of: number }, { reported }: Pick<TurnOf, "reported">): boolean =>
  of === reported

/** The reported end that is certainly this message's turn's; null for none. */
export const endOf = (
  { end, recent }: ReportedTurns,
  turn: TurnOf
): (ReportedEnd & Pick<ToldEnd, "failedAt">) | null => {
  if (end === null || end.seq <= Math.max(turn.attemptSeq, turn.behind ?? 0)) return null
  if (turn.reported !== null && isOwnEnd(end, turn)) return end
  // what is told of another turn takes nothing back
  if (turn.reported !== null) return toldEnd(recent, turn.reported)
  // Its beginning was not reported, and the turn before it was over by then.
  const isNewer = end.seq > turn.enterSeq && (end.again || end.start === 0)
  return isNewer && end.start <= turn.attemptSeq && (!turn.ahead || turn.behind !== null) ? end : null
}

/**
 * The end of the turn that ran when this message was sent, where none has been reported since: then the message went
 * into that turn, and its end is that of both.
 */
export const sharedEnd = ({ end }: ReportedTurns, { behind }: Pick<TurnOf, "behind">): ReportedEnd | null =>
  end !== null && end.seq === behind && end.closedAt === null ? end : null

/** The same by program status, where nothing but this turn has run since. `isLast`: no message was sent behind it. */
const statusEndOf = (
  { runs, statusEnd, userEnterSeq }: ReportedTurns,
  turn: TurnOf,
  isLast: boolean
): ReportedEnd | null => {
  const since = turn.ahead ? turn.reported : turn.enterSeq
  const isOnly = isLast && since !== null && runs.before <= since && userEnterSeq <= turn.enterSeq
  return isOnly && statusEnd !== null && statusEnd.seq > since ? statusEnd : null
}

/** The end that was reported is no turn's of its own: its own may come late. */
export const isShared = (turns: ReportedTurns, turn: TurnOf, isLast: boolean): boolean =>
  endOf(turns, turn) === null && statusEndOf(turns, turn, isLast) === null && sharedEnd(turns, turn) !== null

/** How the CLI reported that this message's turn ended; null where it has not, or where that may be another's end. */
export const reportedEnd = (turns: ReportedTurns, turn: TurnOf, isLast: boolean): ReportedEnd | null =>
  lastWord(endOf(turns, turn), statusEndOf(turns, turn, isLast)) ?? sharedEnd(turns, turn)

/**
 * Nothing more is to come of this turn: its end was told, and behind that another's beginning, its work, or its end.
 */
export const isSuperseded = ({ end, owed, start }: ReportedTurns, { reported }: Pick<TurnOf, "reported">): boolean => {
  if (reported === null || start.seq <= reported) return false
  return end === null
    ? (owed[0] ?? 0) > reported
    : isOwnEnd(end, { reported })
      ? start.seq > end.seq
      : end.of > reported
}

/** A failure was reported since this message was sent, and not of its turn for certain. */
export const isOthersFailure = (turns: ReportedTurns, turn: TurnOf): boolean =>
  turns.end !== null && turns.end.failure !== null && turns.end.seq > turn.attemptSeq && endOf(turns, turn) === null

/**
 * That the session rests says nothing of how this turn ended: hooks that report its beginning report its end, sooner or
 * later; and what is over may have been another's turn.
 */
export const isEndUnknown = ({ start, userEnterSeq }: ReportedTurns, turn: TurnOf, isLast: boolean): boolean =>
  start.seq > 0 || turn.joined || !isLast || userEnterSeq > turn.enterSeq

/** What began last is this turn, whatever its prompt looks like: all that was sent before has its beginning. */
export const isOnlyStart = ({ start, userEnterSeq }: ReportedTurns, turn: TurnOf, isLast: boolean): boolean =>
  start.behind > userEnterSeq && isLast && !turn.ahead && start.seq > turn.enterSeq
