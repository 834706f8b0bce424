/** What a wait is for that only an event from outside ends; it may last for ever. */
export const outside = [
  "the log to hold its attempt",
  "the dialog over the box to close",
  "a whole frame",
  "its turn to begin",
  "its turn to end",
  "what may be reported late of its turn",
  "its text to show late",
  "a turn that may be its own",
  "the session to be ready",
  "a box that could be put back",
  "what the queue waits for since a turn failed",
  "an event of its CLI's hooks"
] as const

/** What a wait is for that time alone ends, whatever else may end it before. */
const bounded = [
  "what came while its attempt was written",
  "the box to be cleared",
  "its text to show",
  "its text to stand still",
  "the menu over its text to close",
  "its text to leave the box",
  "the CLI to draw for a new size",
  "what became of its text behind the dialog",
  "a box to come back",
  "a turn that shows that it was sent",
  "its text to be taken out of the box",
  "your text to be back in the box",
  "the box to let go of it",
  "a sign of its turn",
  "another turn, behind its own",
  "its turn's end to be told",
  "the text that showed late to stand still",
  "a late answer to stand still",
  "keys of yours that are on their way",
  "its time to go",
  "a suggestion of the CLI's that is in the way to be seen",
  "a trace on the screen to be drawn anew",
  "why a turn failed",
  "its CLI to ask for no login for a while",
  "the CLI to go on by itself after its limit",
  "the next try after a failed turn",
  "what it is to wait for",
  "the next look at what has changed"
] as const

/** What a wait is for, as people read it. */
export type Awaited = (typeof outside)[number] | (typeof bounded)[number]

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
  readonly awaited: Awaited
  readonly until: number | null
}
