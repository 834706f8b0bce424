import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import type { Signal } from "../../words/session/Signal.ts"
import { timing } from "./DeliveryLimits.ts"
import * as Recent from "./RecentTurns.ts"
import { began, type Beginnings } from "./Beginnings.ts"

/**
 * A reported end. `of`: the beginning of the turn that ended, as `afterEnd` finds it. `start`: the last beginning
 * before it. `again`: an end was already reported after that beginning, so this may be another turn's. `rested`: the
 * CLI has reported rest since. `open`: the CLI may close this failed turn by another end. `closedAt`, `closedSeq`: when
 * it did. `failedAt`: the time of the failure in the CLI's own record, or null.
 */
export interface ReportedTurnEnd extends Recent.ReportedEnd {
  readonly of: number
  readonly start: number
  readonly again: boolean
  readonly rested: boolean
  readonly open: boolean
  readonly closedAt: number | null
  readonly closedSeq: number
  readonly failedAt: number | null
}

/**
 * The CLI's reports on the beginnings and ends of its turns. They come in two ways, each ordered only in itself: hooks
 * (with events and transcripts) name the prompt and may come late; program status comes with the output.
 */
export interface ReportedTurns {
  /**
   * The last reported beginning; `seq` 0 for none. `within`: background work began it, and the session did not rest
   * since the beginning before it. `behind`: the beginning before it, if a prompt began this turn and that turn's end
   * was reported; else 0. `worked`, `rested`: the session has been busy, or has rested, since.
   */
  readonly start: {
    readonly seq: number
    readonly at: number
    readonly within: boolean
    readonly behind: number
    readonly worked: boolean
    readonly rested: boolean
  }
  /** Reported beginnings without a reported end. Turns end in the order in which they began. */
  readonly owed: ReadonlyArray<number>
  readonly recent: Recent.RecentTurns
  /** Ends of turns whose beginnings are still to be reported, in order. */
  readonly early: ReadonlyArray<ReportedTurnEnd>
  readonly end: ReportedTurnEnd | null
  /** The last turn after a limit, begun by the CLI itself; `ended`: it completed, with no failure since. */
  readonly afterLimit: { readonly start: number; readonly ended: boolean }
  /** The event that last repeated an end. */
  readonly toldTwice: number
  /** The CLI may report an end twice: the last turn that was alone has shown whether it does. */
  readonly tellsTwice: boolean
  /** How the last work ended by program status; null while it works or if the status does not say. */
  readonly statusEnd: Recent.ReportedEnd | null
  /** The last times that the program status changed to work. */
  readonly runs: Beginnings
  readonly works: boolean
  /** The user's last Enter that no dialog took. */
  readonly userEnterSeq: number
}

export const nothingReported: ReportedTurns = {
  start: { seq: 0, at: 0, within: false, behind: 0, worked: false, rested: false },
  owed: [],
  recent: [],
  early: [],
  end: null,
  afterLimit: { start: 0, ended: false },
  toldTwice: 0,
  tellsTwice: true,
  statusEnd: null,
  runs: [],
  works: false,
  userEnterSeq: 0
}

const unexplained = "the CLI reported an error"

/** `seq`: the event's number. `inDialog`: keys go to a dialog. `isStartDue`: a sent prompt is not reported yet. */
export const afterEvent = (
  turns: ReportedTurns,
  event: SessionEvent,
  seq: number,
  inDialog: boolean,
  isStartDue = false
): ReportedTurns => {
  switch (event._tag) {
    case "Input":
      return event.by === "user" && !inDialog && event.keys.includes("enter") ? { ...turns, userEnterSeq: seq } : turns
    case "Reported": {
      const { id, message, state } = event.report
      if (id !== "") return turns
      if (state === "working" || state === "blocked")
        return {
          ...turns,
          statusEnd: null,
          works: true,
          runs: turns.works ? turns.runs : began(turns.runs, seq, event.at, turns.statusEnd?.at ?? null)
        }
      const failure = state === "error" ? (message ?? unexplained) : null
      // An end after a failure, with no work in between, only closes that turn.
      const isEnd =
        state === "error" || (state === "done" && (turns.statusEnd === null || turns.statusEnd.failure === null))
      return {
        ...afterRest(turns, event.at),
        works: false,
        statusEnd: isEnd ? { seq, at: event.at, failure } : turns.statusEnd
      }
    }
    case "Signal":
      return isToldAgain(turns, event.signal, event.at, isStartDue)
        ? { ...turns, toldTwice: seq }
        : afterSignal(turns, event.signal, seq, event.at, isStartDue)
    default:
      return turns
  }
}

/** Prompts were typed ahead, so a moment's rest may be the pause before the next turn. */
const isNextDue = ({ end, owed, start }: ReportedTurns): boolean =>
  owed.length > 1 || (owed.length === 1 && end !== null && end.start === start.seq)

/** leap did not run for a while, so reports that are still due come that much later. */
export const afterGap = (turns: ReportedTurns, gap: { readonly from: number; readonly until: number }): ReportedTurns =>
  turns.early.length === 0
    ? turns
    : { ...turns, early: turns.early.map((told) => ({ ...told, at: told.at + gap.until - gap.from })) }

/** Short rest counts only after work: a beginning may be reported before the CLI shows that it works. */
export const seen = (turns: ReportedTurns, busy: boolean, overSince: number | null, at: number): ReportedTurns => {
  const { start } = turns
  if (busy) return start.worked ? turns : { ...turns, start: { ...start, worked: true } }
  if (overSince === null || start.rested) return turns
  const isShort = start.worked && !isNextDue(turns)
  const rest = at - Math.max(overSince, start.at)
  return rest >= (isShort ? timing.betweenTurns : timing.aheadEnd) ? withRest(turns, at) : turns
}

const withRest = (turns: ReportedTurns, at: number): ReportedTurns => ({
  ...turns,
  start: { ...turns.start, rested: true },
  recent: Recent.rested(turns.recent, at)
})

const afterRest = (turns: ReportedTurns, at: number): ReportedTurns => {
  const { end, start } = turns
  const now = start.rested || isNextDue(turns) ? turns : withRest(turns, at)
  return end === null || end.rested ? now : { ...now, end: { ...end, rested: true } }
}

/** Milliseconds within which an end in the same words is the same one: two hooks, or two settings files, call leap. */
const toldAgain = 1_000

/** The same end is reported again: no other turn is owed one, or the CLI may repeat ends. */
const isToldAgain = (
  { end, owed, recent, start, tellsTwice }: ReportedTurns,
  signal: Signal,
  at: number,
  isStartDue: boolean
): boolean => {
  if (signal._tag !== "TurnEnded" && signal._tag !== "TurnFailed") return false
  if (signal._tag === "TurnFailed" && signal.at !== undefined && recent.length > 0)
    return Recent.isKnown(recent, signal.message, signal.at)
  if (end === null || start.seq === 0 || end.start !== start.seq) return false
  const failure = signal._tag === "TurnFailed" ? signal.message : null
  const last = end.closedAt !== null && failure === null ? end.closedAt : end.failure === failure ? end.at : null
  return last !== null && at >= last && at - last < toldAgain && ((owed.length === 0 && !isStartDue) || tellsTwice)
}

/** Milliseconds by which a hook may come behind the CLI's record of what followed it, on a busy machine. */
const hookBehindRecord = 1_000

/** The most beginnings without an end that are remembered. */
const mostOwed = 16

const afterSignal = (
  turns: ReportedTurns,
  signal: Signal,
  seq: number,
  at: number,
  isStartDue: boolean
): ReportedTurns => {
  const { end, owed, start } = turns
  const isSame = end !== null && end.start === start.seq
  switch (signal._tag) {
    case "TurnStarted": {
      if (signal.goesOn === true) return takenBack(turns)
      // An older early end is dropped: by then nothing waits any more for its turn to begin.
      const [due, ...early] = turns.early.filter((told) => at - told.at < timing.noTurn)
      const { own } = signal
      const afterLimit = signal.afterLimit === true ? { start: seq, ended: false } : turns.afterLimit
      // The CLI's record reports background work in its place, in the record's own order.
      if (due !== undefined && (!own || due.failedAt !== null))
        return withEarlyEnd({ ...turns, early, afterLimit }, due, seq, at, own)
      const behind = !own && isSame ? start.seq : 0
      // Turns that had no end when the session rested get none.
      const open = start.rested ? [] : owed
      const within = own && !start.rested
      const isAlone = end !== null && end.failedAt === null && owed.length === 0
      const isPart = within && open.length > 0
      return {
        ...turns,
        start: { seq, at, within, behind, worked: false, rested: false },
        afterLimit,
        tellsTwice: isAlone ? turns.toldTwice > end.seq : turns.tellsTwice,
        // Background work that begins within a turn belongs to it.
        owed: isPart ? open : [...open, seq].slice(-mostOwed),
        recent: Recent.begun(turns.recent, seq, at, isPart)
      }
    }
    case "TurnFailed": {
      const rested = turns.statusEnd !== null && turns.statusEnd.failure !== null
      const failedAt = signal.at ?? null
      const told = { seq, at, failure: signal.message, failedAt, rested, open: signal.ends !== true }
      return afterEnd(turns, told, isStartDue)
    }
    case "TurnEnded": {
      const closed = Recent.closedTurn(turns.recent, at)
      if (closed !== null) return withClosed(turns, closed, seq, at)
      // An end after a failure only closes that turn, unless the turn went on. A CLI that reports no beginnings may
      // mean another turn's end, unless it has rested since. One that reports beginnings may mean the end of the next
      // turn owed one.
      return isSame && end.failure !== null && (end.rested || start.seq > 0) && (end.open || owed.length === 0)
        ? withClosed(turns, end.of, seq, at)
        : afterEnd(turns, { seq, at, failure: null, failedAt: null, rested: false, open: false }, isStartDue)
    }
    case "ToolStarted":
      return signal.agent === null ? wentOn(turns, at) : turns
    case "CompactStarted":
    case "Responded":
      return wentOn(turns, at)
    case "OwnStatus":
      return signal.phase === "rest" || signal.phase === "gone" ? afterRest(turns, at) : turns
    default:
      return turns
  }
}

/** The turn of an end that was reported first begins: the two ways of reporting have no common order. */
const withEarlyEnd = (
  turns: ReportedTurns,
  end: ReportedTurnEnd,
  seq: number,
  at: number,
  own: boolean
): ReportedTurns => ({
  ...turns,
  start: { seq, at, within: false, behind: own ? 0 : turns.start.seq, worked: false, rested: false },
  recent: withTold(Recent.begun(turns.recent, seq, at), { ...end, at }, seq),
  end: { ...end, of: seq, start: seq, again: false }
})

const withTold = (
  turns: Recent.RecentTurns,
  { at, failedAt, failure, open, seq }: Pick<ReportedTurnEnd, "at" | "failedAt" | "failure" | "open" | "seq">,
  of: number
): Recent.RecentTurns =>
  failure === null
    ? Recent.ended(turns, of, at, seq)
    : Recent.failed(turns, of, { seq, message: failure, at, failedAt }, open)

/** An end closes a turn whose failure was reported. */
const withClosed = (turns: ReportedTurns, of: number, seq: number, at: number): ReportedTurns => ({
  ...turns,
  recent: Recent.ended(turns.recent, of, at, seq),
  end:
    turns.end?.of === of
      ? { ...turns.end, start: turns.start.seq, closedAt: at, closedSeq: seq, open: false }
      : turns.end
})

/**
 * Finds the turn that ended. If the CLI's record gives the time, it is the one that had not ended by then; else the
 * first that is owed an end. Without one, it is the turn whose beginning is due, if the record gives the time, or if it
 * failed and the turn before it is closed; else it is the turn of the last end.
 */
const afterEnd = (
  turns: ReportedTurns,
  told: Pick<ReportedTurnEnd, "seq" | "at" | "failure" | "failedAt" | "rested" | "open">,
  isDue: boolean
): ReportedTurns => {
  const { afterLimit, owed, recent, start } = turns
  const recorded = told.failedAt !== null && recent.length > 0
  const first = (recorded ? Recent.failedTurn(recent, told.failedAt, isDue) : owed[0]) ?? undefined
  const again = turns.end !== null && turns.end.start === start.seq
  const isOther = turns.end === null || (start.seq > 0 && !turns.end.open)
  const early = first === undefined && (recorded || (isDue && told.failure !== null && isOther))
  const of = first ?? (early ? told.seq : (turns.end?.of ?? start.seq))
  // An end without a reported beginning, as after a restart of the host, is not that turn's.
  const isAfterLimit = of > 0 && of === afterLimit.start
  const own = recorded && first !== undefined ? Recent.ownTurn(recent, first, told.failedAt) : null
  const others = owed.filter((one) => one !== first)
  const ended = withTold(recent, told, of)
  const open = told.open && !(recorded && Recent.isOver(recent, of))
  const end: ReportedTurnEnd = { ...told, open, of, start: start.seq, again, closedAt: null, closedSeq: 0 }
  return {
    ...turns,
    owed: own === null ? others : [own, ...others],
    recent: own === null ? ended : Recent.parted(ended, own),
    early: early ? [...turns.early, end].slice(-mostOwed) : turns.early,
    afterLimit: { ...afterLimit, ended: told.failure === null && (afterLimit.ended || isAfterLimit) },
    end
  }
}

/** A failed turn that goes on was retried. If others are owed their ends, the next one began instead. */
const wentOn = (turns: ReportedTurns, at: number): ReportedTurns => {
  const { end, start } = turns
  if (end === null || end.failure === null || end.start !== start.seq) return turns
  // the hook may be of before the failure: its record comes another way, with no order between the two
  if (end.failedAt !== null && at - end.failedAt < hookBehindRecord) return turns
  const owed = turns.owed.length === 0 && end.of > 0 ? [end.of] : turns.owed
  return { ...turns, end: null, owed, recent: Recent.reopened(turns.recent, end.of) }
}

/** The turn continues, so its reported end was not its end. */
const takenBack = (turns: ReportedTurns): ReportedTurns => {
  const { end, owed, start } = turns
  if (end === null || end.start !== start.seq) return turns
  const recent = Recent.reopened(turns.recent, end.of)
  return { ...turns, end: null, owed: end.of > 0 ? [end.of, ...owed] : owed, recent }
}

/** Another source reports work: if a prompt was typed ahead, the reported end was of the turn before. */
export const workBegan = (turns: ReportedTurns): ReportedTurns =>
  turns.owed.length > 0 && turns.end?.start === turns.start.seq ? { ...turns, end: null } : turns

/** A hook and a program status report one end: the hook says why, but a later error by status has the last word. */
export const lastWord = (
  end: Recent.ReportedEnd | null,
  status: Recent.ReportedEnd | null
): Recent.ReportedEnd | null => {
  if (end === null || status === null) return end ?? status
  return end.failure === null && status.failure !== null && status.seq > end.seq ? status : end
}

/** The reported end of the last turn; null while it runs and if none was reported. `workSeq`: last sign of work. */
export const lastEnd = (
  { end, start, statusEnd, works }: ReportedTurns,
  workSeq: number
): Recent.ReportedEnd | null => {
  if (works) return null
  // If no beginning was ever reported, work shows one.
  const isLast = end !== null && end.start === start.seq && (start.seq > 0 || end.seq > workSeq)
  return lastWord(isLast ? end : null, statusEnd !== null && statusEnd.seq > start.seq ? statusEnd : null)
}
