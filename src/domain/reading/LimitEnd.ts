import type { Problem } from "../session/Session.ts"

type Told = Pick<Problem, "until" | "within">

/** Milliseconds: an end that is told no less exactly is waited for, any other is tried from its beginning on. */
const exact = 120_000
const minute = 60_000

const startOf = ({ until }: Told): number | null => {
  const start = until === null ? Number.NaN : Date.parse(until)
  return Number.isNaN(start) ? null : start
}

/** The latest moment at which the problem's end may be, in milliseconds since the epoch; null where it is not known. */
export const latestEnd = (told: Told): number | null => {
  const start = startOf(told)
  return start === null ? null : start + (told.within ?? 0)
}

/**
 * From when on it is worth trying whether the problem is over, in milliseconds since the epoch; null where its end is
 * not known. An end that was told to the minute is over after that minute; one that was told to the hour or the day may
 * have come as soon as that began.
 */
export const tryFrom = (told: Told): number | null => {
  const start = startOf(told)
  const within = told.within ?? 0
  return start === null ? null : start + (within <= exact ? within : minute)
}

/** Two words of one end: each says that it may be when the other says that it may. */
export const isSameEnd = (a: Told, b: Told): boolean => {
  const [startA, startB] = [startOf(a), startOf(b)]
  if (startA === null || startB === null) return false
  return startA <= startB + (b.within ?? 0) && startB <= startA + (a.within ?? 0)
}
