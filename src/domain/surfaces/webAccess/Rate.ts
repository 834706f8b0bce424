/** How much may come at once, and how much becomes free each second. */
export interface RateLimit {
  readonly burst: number
  readonly perSecond: number
}

export interface RateUse {
  readonly used: number
  readonly at: number
}

export const unused: RateUse = { used: 0, at: 0 }

/** The use after `amount` more at a time (milliseconds); null if that exceeds the limit. */
export const use = (limit: RateLimit, before: RateUse, amount: number, at: number): RateUse | null => {
  const passed = Math.max(0, at - before.at) / 1000
  const used = Math.max(0, before.used - passed * limit.perSecond) + amount
  return used > limit.burst ? null : { used, at }
}
