/** How often, and how long in all, a request is tried again. In milliseconds. */
export const retryLimits = { count: 4, first: 500, longest: 30_000, total: 120_000 }

/** What decides whether a failed request is tried again. */
export interface Failures {
  /** How often it has failed, this time included. */
  readonly count: number
  /** Milliseconds waited so far. */
  readonly waited: number
  /** How long the server asks to wait; null when it does not say. */
  readonly retryAfter: number | null
  /** How much of the run's time is left; null: no bound. */
  readonly left: number | null
  /** From 0 up to 1. */
  readonly random: number
}

/**
 * Milliseconds to wait before a request is tried again: what the server asks for, else doubling with full jitter. Null:
 * it is not tried again.
 */
export const retryIn = ({ count, left, random, retryAfter, waited }: Failures, limits = retryLimits): number | null => {
  if (count > limits.count) return null
  const wait = retryAfter ?? Math.floor(random * Math.min(limits.longest, limits.first * 2 ** (count - 1)))
  return waited + wait > limits.total || (left !== null && wait >= left) ? null : wait
}
