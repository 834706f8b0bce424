/** How often, and how long in all, a request is tried again. In milliseconds. */
export interface RetryLimits {
  readonly count: number
  readonly least: number
  readonly first: number
  readonly longest: number
  readonly total: number
}

export const retryLimits: RetryLimits = { count: 4, least: 0, first: 500, longest: 30_000, total: 120_000 }

/** The same for a server that says it is coming up: it is asked until it is there, or the time is over. */
export const loadingLimits: RetryLimits = { ...retryLimits, count: Infinity, least: 500, first: 2_000, longest: 4_000 }

/** What decides whether a failed request is tried again. */
export interface Failures {
  /** How often it has failed, this time included. */
  readonly count: number
  readonly waited: number
  /** How long the server asks to wait; null when it does not say. */
  readonly retryAfter: number | null
  /** How much of the run's time is left; null: no bound. */
  readonly left: number | null
  readonly random: number
}

/** Milliseconds to wait before the next try: what the server asks for, else doubling with full jitter; null: none. */
export const retryIn = ({ count, left, random, retryAfter, waited }: Failures, limits = retryLimits): number | null => {
  if (count > limits.count) return null
  const spread = Math.floor(random * Math.min(limits.longest, limits.first * 2 ** (count - 1)))
  const wait = retryAfter ?? Math.max(limits.least, spread)
  return waited + wait > limits.total || (left !== null && wait >= left) ? null : wait
}
