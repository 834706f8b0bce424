/**
 * Moments that a transition asks about. One that has not come is noted: asking is the only way to wait for a time, so
 * that no wake-up can be forgotten.
 */
export interface Moments {
  readonly passed: (moment: number) => boolean
  /** The earliest moment that was asked about and has not come; null for none. */
  readonly next: () => number | null
}

/**
 * A span in which the session could not be looked at: the machine slept, its clock was set forward, or the host was
 * blocked. Milliseconds since the epoch.
 */
export interface Gap {
  readonly from: number
  readonly until: number
}

/** A step that comes so much later than it was asked for comes behind a gap. */
const lateStep = 5_000
/** What a CLI would have told or shown within a gap comes within this time behind it. */
const behindGap = 3_000

/** The gap before a step at `now`, where there is one. `from`: the step before; `asked`: when this one was due. */
export const gapBefore = (now: number, from: number, asked: number | null): Gap | null =>
  asked !== null && now - asked >= lateStep ? { from, until: now } : null

/**
 * The moments asked about at `now`. Those that fell into a gap come a while behind it: what was waited for until then
 * has had no chance to come, since the CLI slept as well or nobody listened.
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

/** A wait as it stands after a step. `id`: the message that waits, null for what is not about one. */
export interface Wait {
  readonly id: string | null
  readonly phase: string
  readonly awaited: string
  readonly until: number | null
}
