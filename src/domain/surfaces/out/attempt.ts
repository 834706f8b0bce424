/** How one attempt to deliver an event came out. */
export type Verdict =
  | { readonly _tag: "Delivered" }
  /** It is to be sent again, after so many milliseconds where the receiver says how many. */
  | { readonly _tag: "Again"; readonly why: string; readonly afterMs: number | null }
  /** The receiver will never take this event; the next one may go. */
  | { readonly _tag: "Refused"; readonly why: string }
  /** The receiver wants none any more. */
  | { readonly _tag: "Gone"; readonly why: string }

export const delivered: Verdict = { _tag: "Delivered" }

/** Milliseconds before the second attempt, and between two at most. */
const firstDelay = 1_000
const longestDelay = 300_000
/** No receiver holds leap up for longer, whatever it asks for. */
const longestAsked = 3_600_000

/** Milliseconds until the next attempt: longer each time, with a `random` part, so that many do not come at once. */
export const delayAfter = (failures: number, afterMs: number | null, random: number): number => {
  const usual = Math.min(longestDelay, firstDelay * 2 ** Math.min(failures - 1, 20))
  const own = Math.round(usual * (0.75 + random / 2))
  return afterMs === null ? own : Math.min(longestAsked, Math.max(afterMs, own))
}

/** What a `Retry-After` header asks for, in milliseconds: a number of seconds, or a date; null for nothing readable. */
export const retryAfter = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** Statuses that say that this very event will not do, and no other attempt at it either. */
const refusals: ReadonlySet<number> = new Set([400, 405, 411, 413, 414, 415, 422, 431])

/** What a webhook's answer means. What may be a mistake in settings (401, 403, 404, …) is tried until mended. */
export const verdictOf = (status: number, afterMs: number | null): Verdict => {
  const why = `it answered ${status}`
  if (status >= 200 && status < 300) return delivered
  if (status === 410) return { _tag: "Gone", why }
  return refusals.has(status) ? { _tag: "Refused", why } : { _tag: "Again", why, afterMs }
}
