/** The end of a turn, as the CLI reported it; `failure`: why it failed, null where it came to its own end. */
export interface ReportedEnd {
  readonly seq: number
  readonly failure: string | null
}

/**
 * The last turns whose beginnings were told, in their order. Hooks keep an order among themselves, and so does a CLI's
 * own record; between the two there is none. So a failure that the record tells belongs to a turn by its time.
 */
export type RecentTurns = ReadonlyArray<RecentTurn>

/**
 * `seq` and `at`: its beginning, as it was told. `part`: background work began it within the turn before. `over`: when
 * its end was told, or the session rested; null where neither was. `endSeq`: the event that told its own end, or null.
 * `failure`: that it failed, by which event and when that was told, and when it did by the CLI's own record; null where
 * that does not say.
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

/** So many are remembered: more are not under way at once. */
const most = 16
/**
 * A CLI may call the hook of a turn's end, whatever that was, so much before it records why the turn failed: mostly,
 * and where it is slow.
 */
const recordedLate = 30
const recordedSlowly = 250
/** Within this what is told of one end by two ways is told. */
const toldAgain = 1_000

/** Another turn began. */
export const begun = (turns: RecentTurns, seq: number, at: number, part = false): RecentTurns =>
  [...turns, { seq, at, part, over: null, endSeq: null, failure: null }].slice(-most)

const changed = (turns: RecentTurns, seq: number, change: Partial<RecentTurn>): RecentTurns =>
  turns.map((turn) => (turn.seq === seq ? { ...turn, ...change } : turn))

/** The event `endSeq` told its end. */
export const ended = (turns: RecentTurns, seq: number, at: number, endSeq: number): RecentTurns =>
  changed(turns, seq, { over: at, endSeq })

/** It was told that it failed. `isOpen`: an end may close it. */
export const failed = (turns: RecentTurns, seq: number, failure: Failure, isOpen: boolean): RecentTurns =>
  changed(turns, seq, { failure, ...(isOpen ? {} : { over: failure.at }) })

/** What was told of how this turn ended: that it failed, whatever else; else its own end. Null for nothing. */
export const toldEnd = (turns: RecentTurns, of: number): (ReportedEnd & Pick<Failure, "failedAt">) | null => {
  const turn = turns.find(({ seq }) => seq === of)
  if (turn === undefined) return null
  const { endSeq, failure } = turn
  if (failure !== null) return { seq: failure.seq, failure: failure.message, failedAt: failure.failedAt }
  return endSeq === null ? null : { seq: endSeq, failure: null, failedAt: null }
}

/** What was told to be its end was none. */
export const reopened = (turns: RecentTurns, seq: number): RecentTurns =>
  changed(turns, seq, { over: null, endSeq: null, failure: null })

/** The session rests: what has had no end gets none. */
export const rested = (turns: RecentTurns, at: number): RecentTurns =>
  turns.some(({ over }) => over === null) ? turns.map((turn) => ({ ...turn, over: turn.over ?? at })) : turns

/** Its end was told, or will not be. */
export const isOver = (turns: RecentTurns, seq: number): boolean =>
  turns.some((turn) => turn.seq === seq && turn.over !== null)

/** The failure that is recorded at this time was told before. */
export const isKnown = (turns: RecentTurns, message: string, failedAt: number): boolean =>
  turns.some(
    ({ failure }) =>
      failure !== null &&
      failure.message === message &&
      (failure.failedAt === null ? Math.abs(failedAt - failure.at) < toldAgain : failure.failedAt === failedAt)
  )

/**
 * The turn that failed at this time: the first that had not come to its end by then; null for one still to be told.
 * `isDue`: a prompt was sent of which nothing was told yet.
 */
export const failedTurn = (turns: RecentTurns, failedAt: number, isDue: boolean): number | null => {
  const open = turns.filter(({ failure, part }) => failure === null && !part)
  const first = open.find(({ over }) => over === null || failedAt <= over + recordedLate)
  const slow = isDue ? undefined : open.findLast(({ over }) => over !== null && failedAt <= over + recordedSlowly)
  return (first ?? slow)?.seq ?? null
}

/** The turn that failed, by the CLI's own record, and that an end which is told now closes; null for none. */
export const closedTurn = (turns: RecentTurns, at: number): number | null => {
  const first = turns.find(({ over, part }) => over === null && !part)
  const failedAt = first?.failure?.failedAt ?? null
  return first !== undefined && failedAt !== null && at - failedAt < toldAgain ? first.seq : null
}

/** The part of a turn that began behind that turn's failure, and so is a turn of its own; null for none. */
export const ownTurn = (turns: RecentTurns, seq: number, failedAt: number): number | null => {
  const next = turns[turns.findIndex((turn) => turn.seq === seq) + 1]
  return next?.part === true && next.at > failedAt ? next.seq : null
}

/** It is a turn of its own. */
export const parted = (turns: RecentTurns, seq: number): RecentTurns => changed(turns, seq, { part: false })
