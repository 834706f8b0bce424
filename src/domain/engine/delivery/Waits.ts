/**
 * Times that a transition asks about. One that has not come is stored: asking is the only way to wait for a time, so
 * that no wake-up can be forgotten.
 */
export interface Moments {
  readonly passed: (moment: number) => boolean
  /** The earliest moment that was asked about and has not come; null for none. */
  readonly next: () => number | null
}

/**
 * A span in which the session could not be observed: the machine slept, its clock was set forward, or the host was
 * blocked. Milliseconds since the epoch.
 */
export interface Gap {
  readonly from: number
  readonly until: number
}

/** A step that comes this much later than requested follows a gap. */
const lateStep = 5_000
/** A CLI's reports and output from within a gap come within this time after it. */
const behindGap = 3_000

/** The gap before a step at `now`, if there is one. `from`: the previous step; `asked`: when this one was due. */
export const gapBefore = (now: number, from: number, asked: number | null): Gap | null =>
  asked !== null && now - asked >= lateStep ? { from, until: now } : null

/**
 * The times asked about at `now`. Times within a gap come a while after it: the awaited event had no chance to come,
 * since the CLI slept too or nobody listened.
 */
export const momentsAt = (now: number, gap: Gap | null = null): Moments => {
  let earliest = Infinity
  return {
    passed: (asked) => {
      const moment = gap !== null && asked > gap.from && asked <= gap.until ? gap.until + behindGap : asked
      if (now >= moment) return true
      if (moment < earliest) earliest = moment
      return false
    },
    next: () => (earliest === Infinity ? null : earliest)
  }
}

/** A wait after a step. `id`: the waiting message, null if the wait does not belong to one. */
export interface Wait {
  readonly id: string | null
  readonly phase: string
  readonly awaited: string
  readonly until: number | null
}
