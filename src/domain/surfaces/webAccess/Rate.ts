/** The limits of a token bucket: the largest burst, and the refill per second. */
export interface RateLimit {
  readonly burst: number
  readonly perSecond: number
}

export interface RateUse {
  readonly used: number
  readonly at: number
}

export const noUse: RateUse = { used: 0, at: 0 }

/** The usage after `amount` more at the time `at` (milliseconds); null if this exceeds the limit. */
export const use = (limit: RateLimit, before: RateUse, amount: number, at: number): RateUse | null => {
  const passed = Math.max(0, at - before.at) / 1000
  const used = Math.max(0, before.used - passed * limit.perSecond) + amount
  return used > limit.burst ? null : { used, at }
}
