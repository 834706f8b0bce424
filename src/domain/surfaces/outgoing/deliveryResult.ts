export type DeliveryResult =
  | { readonly _tag: "Delivered" }
  /** Send again, after this many milliseconds if the receiver states a time. */
  | { readonly _tag: "Again"; readonly why: string; readonly afterMs: number | null }
  /** The receiver will never accept this event; the next one may be sent. */
  | { readonly _tag: "Refused"; readonly why: string }
  | { readonly _tag: "Gone"; readonly why: string }

export const delivered: DeliveryResult = { _tag: "Delivered" }

/** Milliseconds before the second attempt, and the most between two attempts, before a random part of ± 25 %. */
const firstDelay = 1_000
const longestDelay = 300_000
/** The longest delay that a receiver can ask for, in milliseconds. */
const longestAsked = 3_600_000

/** Milliseconds until the next attempt: growing, with a `random` part (0 to 1) so that attempts do not coincide. */
export const delayAfter = (failures: number, afterMs: number | null, random: number): number => {
  const usual = Math.min(longestDelay, firstDelay * 2 ** Math.min(failures - 1, 20))
  const own = Math.round(usual * (0.75 + random / 2))
  return afterMs === null ? own : Math.min(longestAsked, Math.max(afterMs, own))
}

/** The delay of a `Retry-After` header in milliseconds, from seconds or a date; null if unreadable. */
export const retryAfter = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** Statuses that reject this event for ever: no other attempt can succeed. */
const refusals: ReadonlySet<number> = new Set([400, 405, 411, 413, 414, 415, 422, 431])

/** The result for a webhook's answer. Possible mistakes in settings (401, 403, 404, …) are retried until corrected. */
export const deliveryResultOf = (status: number, afterMs: number | null): DeliveryResult => {
  const why = `it answered ${status}`
  if (status >= 200 && status < 300) return delivered
  if (status === 410) return { _tag: "Gone", why }
  return refusals.has(status) ? { _tag: "Refused", why } : { _tag: "Again", why, afterMs }
}

/** The result for a push service's answer: it may know the subscription no more, or refuse this sender. */
export const pushResultOf = (status: number, afterMs: number | null): DeliveryResult => {
  const why = `its push service answered ${status}`
  if (status === 404 || status === 410) return { _tag: "Gone", why }
  const result = status === 401 || status === 403 ? { _tag: "Refused" as const } : deliveryResultOf(status, afterMs)
  return result._tag === "Delivered" ? result : { ...result, why }
}
