/** How often, and how long in all, a request is tried again. In milliseconds. */
export const retryLimits = { count: 4, first: 500, longest: 30_000, total: 120_000 }

/** What is known when a request has failed and could be tried again. */
export interface Failures {
  /** Times that it has failed, this one included. */
  readonly count: number
  /** How long was waited so far. */
  readonly waited: number
  /** How long the server wants to be left alone; null when it does not say. */
  readonly retryAfter: number | null
  /** How much of the caller's time is left; null: no bound. */
  readonly left: number | null
  /** From 0 up to 1. */
  readonly random: number
}

/** Milliseconds to wait before it is tried again: what the server asks for, else doubling with full jitter. Null: it is not. */
export const retryIn = ({ count, left, random, retryAfter, waited }: Failures, limits = retryLimits): number | null => {
  if (count > limits.count) return null
  const wait = retryAfter ?? Math.floor(random * Math.min(limits.longest, limits.first * 2 ** (count - 1)))
  return waited + wait > limits.total || (left !== null && wait >= left) ? null : wait
}
