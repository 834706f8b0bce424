import type { SessionEvent } from "../session/SessionEvent.ts"

/** The end of a turn, as the CLI told it; `failure`: why it failed, null where it came to its own end. */
export interface ToldEnd {
  readonly seq: number
  readonly failure: string | null
}

/**
 * What the CLI has told of its turns' beginnings and ends: in two ways that keep their own order, and neither the
 * other's. Hooks (with events and transcripts) name the prompt, and may come late; program status comes with the
 * output.
 */
export interface TurnTold {
  /**
   * The last turn's beginning that was told; `seq` 0 where none was. `within`: background work began it of its own, and
   * the session was not seen to rest since the beginning before it. `behind`: the beginning before it, where a prompt
   * began this one and the end of that turn had been told; else 0. `rested`: the session has rested since.
   */
  readonly start: {
    readonly seq: number
    readonly within: boolean
    readonly behind: number
    readonly rested: boolean
  }
  /**
   * The last end that was told. `start`: the `seq` of the beginning before it. `again`: that turn's end had been told
   * already, so that this may be another's. `rested`: the CLI has reported rest since.
   */
  readonly end: (ToldEnd & { readonly start: number; readonly again: boolean; readonly rested: boolean }) | null
  /** How the program status says that the last work ended; null while it works, and where it has not said. */
  readonly report: ToldEnd | null
  /** The last two times that the program status went over to work. */
  readonly runs: { readonly last: number; readonly before: number }
  readonly works: boolean
  /** The last Enter of the user's that a dialog did not take. */
  readonly userEnterSeq: number
}

export const nothingTold: TurnTold = {
  start: { seq: 0, within: false, behind: 0, rested: false },
  end: null,
  report: null,
  runs: { last: 0, before: 0 },
  works: false,
  userEnterSeq: 0
}

/** Why a turn failed whose CLI says no more than that. */
const unexplained = "the CLI reported an error"

/** What is told after one event. `seq`: its number; `inDialog`: keys go to a dialog. */
export const tell = (told: TurnTold, event: SessionEvent, seq: number, inDialog: boolean): TurnTold => {
  switch (event._tag) {
    case "Input":
      return event.by === "user" && !inDialog && event.keys.includes("enter") ? { ...told, userEnterSeq: seq } : told
    case "Reported": {
      const { id, message, state } = event.report
      if (id !== "") return told
      if (state === "working" || state === "blocked")
        return {
          ...told,
          report: null,
          works: true,
          runs: told.works ? told.runs : { last: seq, before: told.runs.last }
        }
      const failure = state === "error" ? (message ?? unexplained) : null
      const isEnd = state === "error" || state === "done"
      return { ...restSeen(told), works: false, report: isEnd ? { seq, failure } : told.report }
    }
    case "Signaled":
      return tellSignal(told, event.signal, seq)
    default:
      return told
  }
}

/** The session was classified as one whose turn is over. */
export const seenOver = (told: TurnTold): TurnTold =>
  told.start.rested ? told : { ...told, start: { ...told.start, rested: true } }

/** The CLI reports that it rests. */
const restSeen = (told: TurnTold): TurnTold => {
  const now = seenOver(told)
  return now.end === null || now.end.rested ? now : { ...now, end: { ...now.end, rested: true } }
}

const tellSignal = (
  told: TurnTold,
  signal: Extract<SessionEvent, { _tag: "Signaled" }>["signal"],
  seq: number
): TurnTold => {
  const { end, start } = told
  const isSame = end !== null && end.start === start.seq
  switch (signal._tag) {
    case "TurnStarted": {
      const { own } = signal
      const behind = !own && isSame ? start.seq : 0
      return { ...told, start: { seq, within: own && !start.rested, behind, rested: false } }
    }
    case "TurnFailed": {
      const rested = told.report !== null && told.report.failure !== null
      return { ...told, end: { seq, failure: signal.message, start: start.seq, again: isSame, rested } }
    }
    case "TurnEnded":
      // What follows a failure and the rest after it only closes that turn: it has not gone on.
      return isSame && end.failure !== null && end.rested
        ? told
        : { ...told, end: { seq, failure: null, start: start.seq, again: isSame, rested: false } }
    case "ToolStarted":
      return signal.agent === null ? wentOn(told) : told
    case "CompactStarted":
    case "Responded":
      return wentOn(told)
    case "OwnStatus":
      return signal.phase === "rest" || signal.phase === "gone" ? restSeen(told) : told
    default:
      return told
  }
}

/** A turn that failed and then goes on was tried again. */
const wentOn = (told: TurnTold): TurnTold =>
  told.end !== null && told.end.failure !== null && told.end.start === told.start.seq ? { ...told, end: null } : told

/** A message whose turn is asked for. Numbers are of events. */
export interface TurnOf {
  readonly attemptSeq: number
  readonly enterSeq: number
  /** A turn ran when it was sent. */
  readonly ahead: boolean
  /** The beginning of its turn, as it was told; null where it was not. */
  readonly told: number | null
  /** Another prompt's beginning was told before its end was: what ends is the turn of both. */
  readonly merged: boolean
}

/** The told end that is certainly this message's turn's; null for none. */
export const endOf = ({ end }: TurnTold, turn: TurnOf): ToldEnd | null => {
  if (end === null || end.seq <= turn.attemptSeq || turn.merged) return null
  if (turn.told !== null) return end.start === turn.told ? end : null
  // Its beginning was not told, and the turn before it was over by then.
  const isNewer = end.again || end.start === 0
  return isNewer && end.start <= turn.attemptSeq && !turn.ahead ? end : null
}

/** The same by program status, where nothing but this turn has run since. `isLast`: no message was sent behind it. */
const reportOf = ({ report, runs, userEnterSeq }: TurnTold, turn: TurnOf, isLast: boolean): ToldEnd | null => {
  const since = turn.ahead ? turn.told : turn.enterSeq
  const isOnly = isLast && since !== null && runs.before <= since && userEnterSeq <= turn.enterSeq
  return isOnly && report !== null && report.seq > since ? report : null
}

/** Of a hook and a program status that tell one end: a hook says why; an error reported behind it is the last word. */
const lastWord = (end: ToldEnd | null, report: ToldEnd | null): ToldEnd | null => {
  if (end === null || report === null) return end ?? report
  return end.failure === null && report.failure !== null && report.seq > end.seq ? report : end
}

/** How the CLI told that this message's turn ended; null where it has not, or where that may be another's end. */
export const toldEnd = (told: TurnTold, turn: TurnOf, isLast: boolean): ToldEnd | null =>
  lastWord(endOf(told, turn), reportOf(told, turn, isLast))

/** How the CLI told that its last turn ended; null while it runs, and untold. `workSeq`: the last sign of work. */
export const lastEnd = ({ end, report, start, works }: TurnTold, workSeq: number): ToldEnd | null => {
  if (works) return null
  // where no beginning was ever told, work is what shows one
  const isLast = end !== null && end.start === start.seq && (start.seq > 0 || end.seq > workSeq)
  return lastWord(isLast ? end : null, report !== null && report.seq > start.seq ? report : null)
}

/** Another turn's beginning was told behind this one's end. */
export const isSealed = ({ end, start }: TurnTold, { told }: TurnOf): boolean =>
  told !== null && start.seq > told && end !== null && end.start === told

/** A failure was told since this message was sent, and not of its turn for certain. */
export const isOthersFailure = (told: TurnTold, turn: TurnOf): boolean =>
  told.end !== null && told.end.failure !== null && told.end.seq > turn.attemptSeq && endOf(told, turn) === null

/**
 * That the session rests says nothing of how this turn ended: hooks that tell its beginning tell its end, sooner or
 * later; and what is over may have been another's turn.
 */
export const isUncertain = ({ start, userEnterSeq }: TurnTold, turn: TurnOf, isLast: boolean): boolean =>
  start.seq > 0 || turn.merged || !isLast || userEnterSeq > turn.enterSeq

/** What began last is this turn, whatever its prompt looks like to the CLI: all that was sent before has been told. */
export const isOnlyStart = ({ start, userEnterSeq }: TurnTold, turn: TurnOf, isLast: boolean): boolean =>
  start.behind > userEnterSeq && isLast && !turn.ahead && start.seq > turn.enterSeq
