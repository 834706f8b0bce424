import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import type { Signal } from "../../words/session/Signal.ts"
import { timing } from "./DeliveryLimits.ts"
import * as Recent from "./RecentTurns.ts"

/**
 * An end as it was told, and when. `of`: the beginning whose turn ended: the first that was owed one. `start`: the last
 * beginning before it. `again`: an end had been told behind that already, so that this may be another's. `rested`: the
 * CLI has reported rest since. `open`: the CLI may close that turn, which failed, by another end. `closedAt` (and
 * `closedSeq`): when it did. `failedAt`: when it failed by the CLI's own record, null where that does not say.
 */
export interface ToldEnd extends Recent.ReportedEnd {
  readonly at: number
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
 * What the CLI has reported of its turns' beginnings and ends: in two ways that keep their own order, and neither the
 * other's. Hooks (with events and transcripts) name the prompt, and may come late; program status comes with the
 * output.
 */
export interface ReportedTurns {
  /**
   * The last turn's beginning that was reported, and when; `seq` 0 where none was. `within`: background work began it
   * of its own, and the session was not seen to rest since the beginning before it. `behind`: the beginning before it,
   * where a prompt began this one and the end of that turn had been reported; else 0. `worked`: the session has been
   * busy since. `rested`: it has rested since.
   */
  readonly start: {
    readonly seq: number
    readonly at: number
    readonly within: boolean
    readonly behind: number
    readonly worked: boolean
    readonly rested: boolean
  }
  /** The beginnings that were reported, and whose ends were not: turns end in the order in which they began. */
  readonly owed: ReadonlyArray<number>
  /** The last turns that began. */
  readonly recent: Recent.RecentTurns
  /** Ends of turns whose beginnings are still to be told, in their order. */
  readonly early: ReadonlyArray<ToldEnd>
  /** The last end that was reported. */
  readonly end: ToldEnd | null
  /**
   * The last turn with which the CLI went on by itself after a limit, as it told: its beginning, and whether it has
   * told that this turn came to its own end, with no failure since.
   */
  readonly afterLimit: { readonly start: number; readonly ended: boolean }
  /** The event with which an end was last told once more. */
  readonly toldTwice: number
  /** The CLI may tell an end twice: the last turn that was alone has shown whether it does. */
  readonly tellsTwice: boolean
  /** How the program status says that the last work ended; null while it works, and where it has not said. */
  readonly statusEnd: Recent.ReportedEnd | null
  /** The last two times that the program status went over to work. */
  readonly runs: { readonly last: number; readonly before: number }
  readonly works: boolean
  /** The last Enter of the user's that a dialog did not take. */
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
  runs: { last: 0, before: 0 },
  works: false,
  userEnterSeq: 0
}

/** Why a turn failed whose CLI says no more than that. */
const unexplained = "the CLI reported an error"

/**
 * What is reported after one event. `seq`: its number; `inDialog`: keys go to a dialog; `isStartDue`: a prompt has been
 * sent whose beginning has not been told.
 */
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
          runs: turns.works ? turns.runs : { last: seq, before: turns.runs.last }
        }
      const failure = state === "error" ? (message ?? unexplained) : null
      // What follows a failure with no work in between only closes that turn.
      const isEnd =
        state === "error" || (state === "done" && (turns.statusEnd === null || turns.statusEnd.failure === null))
      return { ...afterRest(turns, event.at), works: false, statusEnd: isEnd ? { seq, failure } : turns.statusEnd }
    }
    case "Signal":
      return isToldAgain(turns, event.signal, event.at, isStartDue)
        ? { ...turns, toldTwice: seq }
        : afterSignal(turns, event.signal, seq, event.at, isStartDue)
    default:
      return turns
  }
}

/** Prompts were typed ahead, and their turns are to come: a moment's rest may be that before the next. */
const isNextDue = ({ end, owed, start }: ReportedTurns): boolean =>
  owed.length > 1 || (owed.length === 1 && end !== null && end.start === start.seq)

/** Nobody ran for a while: what may still be told is told behind that. */
export const afterGap = (turns: ReportedTurns, gap: { readonly from: number; readonly until: number }): ReportedTurns =>
  turns.early.length === 0
    ? turns
    : { ...turns, early: turns.early.map((told) => ({ ...told, at: told.at + gap.until - gap.from })) }

/**
 * The session was classified: as busy, or as one whose turn is over, since then. Rest that does not last follows work:
 * a beginning may be told before the CLI shows that it works.
 */
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

/** The CLI reports that it rests. */
const afterRest = (turns: ReportedTurns, at: number): ReportedTurns => {
  const { end, start } = turns
  const now = start.rested || isNextDue(turns) ? turns : withRest(turns, at)
  return end === null || end.rested ? now : { ...now, end: { ...end, rested: true } }
}

/** Within this an end that is told in the same words is the same one: two hooks, or two settings files, call leap. */
const toldAgain = 1_000

/** The same end is told once more: no other is owed one, or so it was before. */
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

/** So many beginnings without an end are remembered. */
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
      // a message whose turn is not seen to begin is not waited for any longer
      const [due, ...early] = turns.early.filter((told) => at - told.at < timing.noTurn)
      const { own } = signal
      const afterLimit = signal.afterLimit === true ? { start: seq, ended: false } : turns.afterLimit
      // what background work begins is told of in its place, among what the record tells
      if (due !== undefined && (!own || due.failedAt !== null))
        return withEarlyEnd({ ...turns, early, afterLimit }, due, seq, at, own)
      const behind = !own && isSame ? start.seq : 0
      // what had no end by the time the session rested gets none
      const open = start.rested ? [] : owed
      const within = own && !start.rested
      const isAlone = end !== null && end.failedAt === null && owed.length === 0
      const isPart = within && open.length > 0
      return {
        ...turns,
        start: { seq, at, within, behind, worked: false, rested: false },
        afterLimit,
        tellsTwice: isAlone ? turns.toldTwice > end.seq : turns.tellsTwice,
        // what background work begins within a turn goes on with it
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
      // What follows a failure only closes that turn: it has not gone on. A CLI that tells no beginnings may tell the
      // end of another one, unless it has rested since; one that tells them, that of the next that is owed one.
      return isSame && end.failure !== null && (end.rested || start.seq > 0) && (end.open || owed.length === 0)
        ? withClosed(turns, end.of, seq, at)
        : afterEnd(turns, { seq, at, failure: null, failedAt: null, rested: false, open: false }, isStartDue)
    }
    case "ToolStarted":
      return signal.agent === null ? wentOn(turns) : turns
    case "CompactStarted":
    case "Responded":
      return wentOn(turns)
    case "OwnStatus":
      return signal.phase === "rest" || signal.phase === "gone" ? afterRest(turns, at) : turns
    default:
      return turns
  }
}

/** A turn whose end was told first, by another way, has begun: beginnings and ends have no order between them. */
const withEarlyEnd = (turns: ReportedTurns, end: ToldEnd, seq: number, at: number, own: boolean): ReportedTurns => ({
  ...turns,
  start: { seq, at, within: false, behind: own ? 0 : turns.start.seq, worked: false, rested: false },
  recent: withTold(Recent.begun(turns.recent, seq, at), { ...end, at }, seq),
  end: { ...end, of: seq, start: seq, again: false }
})

/** The last turns with what was told of the end of one. */
const withTold = (
  turns: Recent.RecentTurns,
  { at, failedAt, failure, open, seq }: Pick<ToldEnd, "at" | "failedAt" | "failure" | "open" | "seq">,
  of: number
): Recent.RecentTurns =>
  failure === null
    ? Recent.ended(turns, of, at, seq)
    : Recent.failed(turns, of, { seq, message: failure, at, failedAt }, open)

/** A turn that failed, and whose failure was told, is closed by its end. */
const withClosed = (turns: ReportedTurns, of: number, seq: number, at: number): ReportedTurns => ({
  ...turns,
  recent: Recent.ended(turns.recent, of, at, seq),
  end:
    turns.end?.of === of
      ? { ...turns.end, start: turns.start.seq, closedAt: at, closedSeq: seq, open: false }
      : turns.end
})

/**
 * A turn ended: the one that had not by the time of which the CLI's record tells; else of those that are owed an end
 * the first; else that whose beginning is due, if it failed and the turn before it has had the last word.
 */
const afterEnd = (
  turns: ReportedTurns,
  told: Pick<ToldEnd, "seq" | "at" | "failure" | "failedAt" | "rested" | "open">,
  isDue: boolean
): ReportedTurns => {
  const { afterLimit, owed, recent, start } = turns
  const recorded = told.failedAt !== null && recent.length > 0
  const first = (recorded ? Recent.failedTurn(recent, told.failedAt, isDue) : owed[0]) ?? undefined
  const again = turns.end !== null && turns.end.start === start.seq
  const isOther = turns.end === null || (start.seq > 0 && !turns.end.open)
  const early = first === undefined && (recorded || (isDue && told.failure !== null && isOther))
  const of = first ?? (early ? told.seq : (turns.end?.of ?? start.seq))
  // an end whose beginning nobody told, as behind a restart of the host, is not that turn's
  const isAfterLimit = of > 0 && of === afterLimit.start
  const own = recorded && first !== undefined ? Recent.ownTurn(recent, first, told.failedAt) : null
  const others = owed.filter((one) => one !== first)
  const ended = withTold(recent, told, of)
  const open = told.open && !(recorded && Recent.isOver(recent, of))
  const end: ToldEnd = { ...told, open, of, start: start.seq, again, closedAt: null, closedSeq: 0 }
  return {
    ...turns,
    owed: own === null ? others : [own, ...others],
    recent: own === null ? ended : Recent.parted(ended, own),
    early: early ? [...turns.early, end].slice(-mostOwed) : turns.early,
    afterLimit: { ...afterLimit, ended: told.failure === null && (afterLimit.ended || isAfterLimit) },
    end
  }
}

/** A turn that failed and then goes on was tried again; where others are owed their ends, it is the next that began. */
const wentOn = (turns: ReportedTurns): ReportedTurns =>
  turns.end !== null && turns.end.failure !== null && turns.end.start === turns.start.seq
    ? {
        ...turns,
        end: null,
        owed: turns.owed.length === 0 && turns.end.of > 0 ? [turns.end.of] : turns.owed,
        recent: Recent.reopened(turns.recent, turns.end.of)
      }
    : turns

/** The turn whose end was told goes on: that was none. */
const takenBack = (turns: ReportedTurns): ReportedTurns => {
  const { end, owed, start } = turns
  if (end === null || end.start !== start.seq) return turns
  const recent = Recent.reopened(turns.recent, end.of)
  return { ...turns, end: null, owed: end.of > 0 ? [end.of, ...owed] : owed, recent }
}

/** Work begins, by another source: where a prompt had been typed ahead, what has ended was the turn before its own. */
export const workBegan = (turns: ReportedTurns): ReportedTurns =>
  turns.owed.length > 0 && turns.end?.start === turns.start.seq ? { ...turns, end: null } : turns

/** Of a hook and a program status that tell one end: a hook says why; an error reported behind it is the last word. */
export const lastWord = (
  end: Recent.ReportedEnd | null,
  status: Recent.ReportedEnd | null
): Recent.ReportedEnd | null => {
  if (end === null || status === null) return end ?? status
  return end.failure === null && status.failure !== null && status.seq > end.seq ? status : end
}

/** How the CLI reported that its last turn ended; null while it runs, and unreported. `workSeq`: last sign of work. */
export const lastEnd = (
  { end, start, statusEnd, works }: ReportedTurns,
  workSeq: number
): Recent.ReportedEnd | null => {
  if (works) return null
  // where no beginning was ever reported, work is what shows one
  const isLast = end !== null && end.start === start.seq && (start.seq > 0 || end.seq > workSeq)
  return lastWord(isLast ? end : null, statusEnd !== null && statusEnd.seq > start.seq ? statusEnd : null)
}
