import type { SessionEvent } from "../session/SessionEvent.ts"

/** The end of a turn, as the CLI reported it; `failure`: why it failed, null where it came to its own end. */
export interface ReportedEnd {
  readonly seq: number
  readonly failure: string | null
}

/**
 * What the CLI has reported of its turns' beginnings and ends: in two ways that keep their own order, and neither the
 * other's. Hooks (with events and transcripts) name the prompt, and may come late; program status comes with the
 * output.
 */
export interface ReportedTurns {
  /**
   * The last turn's beginning that was reported; `seq` 0 where none was. `within`: background work began it of its own,
   * and the session was not seen to rest since the beginning before it. `behind`: the beginning before it, where a
   * prompt began this one and the end of that turn had been reported; else 0. `ahead`: that turn's end had not been
   * reported, nor the session seen to rest, so that the next end may be its. `rested`: the session has rested since.
   */
  readonly start: {
    readonly seq: number
    readonly within: boolean
    readonly behind: number
    readonly ahead: boolean
    readonly rested: boolean
  }
  /**
   * The last end that was reported. `start`: the `seq` of the beginning before it. `again`: that turn's end had been
   * reported already, so that this may be another's. `rested`: the CLI has reported rest since. `closed`: an end of the
   * turn's own was reported behind it.
   */
  readonly end:
    | (ReportedEnd & {
        readonly start: number
        readonly again: boolean
        readonly rested: boolean
        readonly closed: boolean
      })
    | null
  /** How the program status says that the last work ended; null while it works, and where it has not said. */
  readonly statusEnd: ReportedEnd | null
  /** The last two times that the program status went over to work. */
  readonly runs: { readonly last: number; readonly before: number }
  readonly works: boolean
  /** The last Enter of the user's that a dialog did not take. */
  readonly userEnterSeq: number
}

export const nothingReported: ReportedTurns = {
  start: { seq: 0, within: false, behind: 0, ahead: false, rested: false },
  end: null,
  statusEnd: null,
  runs: { last: 0, before: 0 },
  works: false,
  userEnterSeq: 0
}

/** Why a turn failed whose CLI says no more than that. */
const unexplained = "the CLI reported an error"

/** What is reported after one event. `seq`: its number; `inDialog`: keys go to a dialog. */
export const afterEvent = (
  turns: ReportedTurns,
  event: SessionEvent,
  seq: number,
  inDialog: boolean
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
      return { ...afterRest(turns), works: false, statusEnd: isEnd ? { seq, failure } : turns.statusEnd }
    }
    case "Signaled":
      return afterSignal(turns, event.signal, seq)
    default:
      return turns
  }
}

/** The session was classified as one whose turn is over. */
export const seenOver = (turns: ReportedTurns): ReportedTurns =>
  turns.start.rested ? turns : { ...turns, start: { ...turns.start, rested: true } }

/** The CLI reports that it rests. */
const afterRest = (turns: ReportedTurns): ReportedTurns => {
  const now = seenOver(turns)
  return now.end === null || now.end.rested ? now : { ...now, end: { ...now.end, rested: true } }
}

const afterSignal = (
  turns: ReportedTurns,
  signal: Extract<SessionEvent, { _tag: "Signaled" }>["signal"],
  seq: number
): ReportedTurns => {
  const { end, start } = turns
  const isSame = end !== null && end.start === start.seq
  switch (signal._tag) {
    case "TurnStarted": {
      const { own } = signal
      const behind = !own && isSame ? start.seq : 0
      const ahead = !own && start.seq > 0 && !isSame && !start.rested
      return { ...turns, start: { seq, within: own && !start.rested, behind, ahead, rested: false } }
    }
    case "TurnFailed": {
      const rested = turns.statusEnd !== null && turns.statusEnd.failure !== null
      return { ...turns, end: { seq, failure: signal.message, start: start.seq, again: isSame, rested, closed: false } }
    }
    case "TurnEnded":
      // What follows a failure only closes that turn: it has not gone on. A CLI that tells no beginnings may tell the
      // end of another one, unless it has rested since.
      return isSame && end.failure !== null && (end.rested || start.seq > 0)
        ? { ...turns, end: { ...end, closed: true } }
        : { ...turns, end: { seq, failure: null, start: start.seq, again: isSame, rested: false, closed: false } }
    case "ToolStarted":
      return signal.agent === null ? wentOn(turns) : turns
    case "CompactStarted":
    case "Responded":
      return wentOn(turns)
    case "OwnStatus":
      return signal.phase === "rest" || signal.phase === "gone" ? afterRest(turns) : turns
    default:
      return turns
  }
}

/** A turn that failed and then goes on was tried again. */
const wentOn = (turns: ReportedTurns): ReportedTurns =>
  turns.end !== null && turns.end.failure !== null && turns.end.start === turns.start.seq
    ? { ...turns, end: null }
    : turns

/** Work begins, by another source: where a prompt had been typed ahead, what has ended was the turn before its own. */
export const workBegan = (turns: ReportedTurns): ReportedTurns =>
  turns.start.ahead && turns.end?.start === turns.start.seq
    ? { ...turns, end: null, start: { ...turns.start, ahead: false } }
    : turns

/** A message whose turn is asked for. Numbers are of events. */
export interface TurnOf {
  readonly attemptSeq: number
  readonly enterSeq: number
  /** A turn ran when it was sent. */
  readonly ahead: boolean
  /** The beginning of its turn, as it was reported; null where it was not. */
  readonly reported: number | null
  /** Another prompt's beginning was reported before its end was: what ends is the turn of both, or of the first. */
  readonly joined: boolean
  /** `seq` of the end of the turn that ran when it was sent, where that was reported: the next end is its own. */
  readonly behind: number | null
}

/** The reported end that is certainly this message's turn's; null for none. */
export const endOf = ({ end }: ReportedTurns, turn: TurnOf): ReportedEnd | null => {
  if (end === null || end.seq <= Math.max(turn.attemptSeq, turn.behind ?? 0)) return null
  // Whether or not the other prompt went into this turn, this is the one that ends first.
  if (turn.reported !== null)
    return end.start === turn.reported || (turn.joined && end.seq > turn.reported) ? end : null
  // Its beginning was not reported, and the turn before it was over by then.
  const isNewer = end.again || end.start === 0
  return isNewer && end.start <= turn.attemptSeq && (!turn.ahead || turn.behind !== null) ? end : null
}

/**
 * The end of the turn that ran when this message was sent, where none has been reported since: then the message went
 * into that turn, and its end is that of both.
 */
export const sharedEnd = ({ end }: ReportedTurns, { behind }: Pick<TurnOf, "behind">): ReportedEnd | null =>
  end !== null && end.seq === behind && !end.closed ? end : null

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

/** Of a hook and a program status that tell one end: a hook says why; an error reported behind it is the last word. */
const lastWord = (end: ReportedEnd | null, status: ReportedEnd | null): ReportedEnd | null => {
  if (end === null || status === null) return end ?? status
  return end.failure === null && status.failure !== null && status.seq > end.seq ? status : end
}

/** How the CLI reported that this message's turn ended; null where it has not, or where that may be another's end. */
export const reportedEnd = (turns: ReportedTurns, turn: TurnOf, isLast: boolean): ReportedEnd | null =>
  lastWord(endOf(turns, turn), statusEndOf(turns, turn, isLast)) ?? sharedEnd(turns, turn)

/** How the CLI reported that its last turn ended; null while it runs, and unreported. `workSeq`: last sign of work. */
export const lastEnd = ({ end, start, statusEnd, works }: ReportedTurns, workSeq: number): ReportedEnd | null => {
  if (works) return null
  // where no beginning was ever reported, work is what shows one
  const isLast = end !== null && end.start === start.seq && (start.seq > 0 || end.seq > workSeq)
  return lastWord(isLast ? end : null, statusEnd !== null && statusEnd.seq > start.seq ? statusEnd : null)
}

/** Another turn's beginning was reported behind this one's end: nothing more is to come of this one. */
export const isSuperseded = ({ end, start }: ReportedTurns, { reported }: TurnOf): boolean =>
  reported !== null && start.seq > reported && end !== null && end.start === reported

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
