/** A turn's end as the CLI reported it. `failure`: why it failed; null if it completed. */
export interface ReportedEnd {
  readonly seq: number
  readonly at: number
  readonly failure: string | null
}

/**
 * The last turns whose beginnings were reported, in order. Hooks keep an order among themselves, and so does the CLI's
 * own record, but there is none between the two. A failure in the record therefore belongs to a turn by its time.
 */
export type RecentTurns = ReadonlyArray<RecentTurn>

/**
 * `seq` and `at`: its reported beginning. `part`: background work began it within the turn before. `over`: when its end
 * was reported or the session rested; else null. `endSeq`: the event that reported its own end. `failure`: by which
 * event and when its failure was reported; `failedAt` is the time in the CLI's own record, or null.
 */
interface RecentTurn {
  readonly seq: number
  readonly at: number
  readonly part: boolean
  readonly over: number | null
  readonly endSeq: number | null
  readonly failure: Failure | null
}

interface Failure {
  readonly seq: number
  readonly message: string
  readonly at: number
  readonly failedAt: number | null
}

/** The most turns that are remembered: more are never running at the same time. */
const most = 16
/** Milliseconds from the hook of a turn's end to the record of its failure: usually, and if the CLI is slow. */
const recordedLate = 30
const recordedSlowly = 250
/** Milliseconds between two reports of one end, at most. */
const toldAgain = 1_000

export const begun = (turns: RecentTurns, seq: number, at: number, part = false): RecentTurns =>
  [...turns, { seq, at, part, over: null, endSeq: null, failure: null }].slice(-most)

const changed = (turns: RecentTurns, seq: number, change: Partial<RecentTurn>): RecentTurns =>
  turns.map((turn) => (turn.seq === seq ? { ...turn, ...change } : turn))

/** Its end was reported. An earlier `over` stays: later reports may be of a turn whose beginning was not reported. */
export const ended = (turns: RecentTurns, seq: number, at: number, endSeq: number): RecentTurns =>
  turns.map((turn) => (turn.seq === seq ? { ...turn, over: turn.over ?? at, endSeq: turn.endSeq ?? endSeq } : turn))

/** The turn was reported as failed. `isOpen`: a later end may close it. */
export const failed = (turns: RecentTurns, seq: number, failure: Failure, isOpen: boolean): RecentTurns =>
  changed(turns, seq, { failure, ...(isOpen ? {} : { over: failure.at }) })

/** The reported end of this turn: its failure if there is one, else its own end; null for none. */
export const reportedEndOf = (turns: RecentTurns, of: number): (ReportedEnd & Pick<Failure, "failedAt">) | null => {
  const turn = turns.find(({ seq }) => seq === of)
  if (turn === undefined) return null
  const { at, endSeq, failure, over } = turn
  if (failure !== null) return { ...failure, failure: failure.message }
  return endSeq === null ? null : { seq: endSeq, at: over ?? at, failure: null, failedAt: null }
}

/** This failure, from the CLI's own record, is of the turn that the event `endSeq` had reported to be over. */
export const failedAgain = (
  turns: RecentTurns,
  { failedAt, of }: { readonly failedAt: number | null; readonly of: number },
  endSeq: number
): boolean => failedAt !== null && turns.some((turn) => turn.seq === of && turn.endSeq === endSeq)

/** The end that was reported for this turn was not its end. */
export const reopened = (turns: RecentTurns, seq: number): RecentTurns =>
  changed(turns, seq, { over: null, endSeq: null, failure: null })

/** The session rests: turns without an end get none. */
export const rested = (turns: RecentTurns, at: number): RecentTurns =>
  turns.some(({ over }) => over === null) ? turns.map((turn) => ({ ...turn, over: turn.over ?? at })) : turns

/** Its end was reported, or never will be. */
export const isOver = (turns: RecentTurns, seq: number): boolean =>
  turns.some((turn) => turn.seq === seq && turn.over !== null)

/** The end of this turn was reported, and no failure before it. */
export const hasEnded = (turns: RecentTurns, of: number | null): boolean =>
  turns.some(({ endSeq, failure, seq }) => seq === of && endSeq !== null && (failure === null || failure.seq > endSeq))

/** The failure recorded at this time was reported before. */
export const isKnown = (turns: RecentTurns, message: string, failedAt: number): boolean =>
  turns.some(
    ({ failure }) =>
      failure !== null &&
      failure.message === message &&
      (failure.failedAt === null ? Math.abs(failedAt - failure.at) < toldAgain : failure.failedAt === failedAt)
  )

/** The first turn not over at this time; null if its beginning is to come. `isDue`: a sent prompt is unreported. */
export const failedTurn = (turns: RecentTurns, failedAt: number, isDue: boolean): number | null => {
  const open = turns.filter(({ failure, part }) => failure === null && !part)
  const first = open.find(({ over }) => over === null || failedAt <= over + recordedLate)
  const slow = isDue ? undefined : open.findLast(({ over }) => over !== null && failedAt <= over + recordedSlowly)
  return (first ?? slow)?.seq ?? null
}

/** The turn that failed by the CLI's own record and that an end reported now closes; null for none. */
export const closedTurn = (turns: RecentTurns, at: number): number | null => {
  const first = turns.find(({ over, part }) => over === null && !part)
  const failedAt = first?.failure?.failedAt ?? null
  return first !== undefined && failedAt !== null && at - failedAt < toldAgain ? first.seq : null
}

/** The part of a turn that began after that turn's failure, and so is a turn of its own; null for none. */
export const ownTurn = (turns: RecentTurns, seq: number, failedAt: number): number | null => {
  const next = turns[turns.findIndex((turn) => turn.seq === seq) + 1]
  return next?.part === true && next.at > failedAt ? next.seq : null
}

export const parted = (turns: RecentTurns, seq: number): RecentTurns => changed(turns, seq, { part: false })
