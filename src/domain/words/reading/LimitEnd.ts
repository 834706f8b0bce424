import type { Problem } from "../session/Session.ts"

/** The end of a limit as far as it was told: it lies from `until` to `within` milliseconds after it. */
export type ToldEnd = Pick<Problem, "until" | "within">

/** The moments between which an end lies, both of them included; null where it is not known. */
const interval = ({ until, within = 0 }: ToldEnd): readonly [from: number, to: number] | null => {
  const from = until === null ? Number.NaN : Date.parse(until)
  return Number.isNaN(from) ? null : [from, from + Math.max(0, within)]
}

/**
 * The moment (milliseconds since the epoch) from which on a limit is over however inexactly its end was told; null
 * where its end is not known.
 */
export const latestEnd = (problem: ToldEnd): number | null => interval(problem)?.[1] ?? null

/** Writes an end into a text that is kept. An end that was told to the minute is read as that minute. */
export const endName = ({ until, within = 0 }: ToldEnd): string => (until === null ? "" : `${until}+${within}`)
export const endNamed = (name: string): ToldEnd => {
  const [, until, within = "0"] = /^(\d{4}-[^+]+)(?:\+(\d+))?$/.exec(name) ?? []
  if (until === undefined) return { until: null }
  return until.length === 16 ? { until: `${until}:00.000Z`, within: 59_999 } : { until, within: Number(within) }
}

/** Milliseconds: an end that is told no less exactly than this is waited for. */
const exact = 120_000
const minute = 60_000

/**
 * From when on it is worth trying whether a limit is over, in milliseconds since the epoch; null where its end is not
 * known. An end that was told to the minute is over after that minute; one that was told to the hour or the day may
 * have come as soon as that began.
 */
export const tryFrom = (problem: ToldEnd): number | null => {
  const found = interval(problem)
  if (found === null) return null
  const [from, to] = found
  return to - from <= exact ? to : from + minute
}

/**
 * Whether two readings may be of one end: there is a moment that both allow. An end that is not known is the same as
 * none, not even as another that is not known.
 */
export const isSameEnd = (a: ToldEnd, b: ToldEnd): boolean => {
  const [one, other] = [interval(a), interval(b)]
  return one !== null && other !== null && one[0] <= other[1] && other[0] <= one[1]
}

/** Whether two readings tell the same: of one end, or of none. */
export const tellsSameEnd = (a: ToldEnd, b: ToldEnd): boolean =>
  interval(a) === null ? interval(b) === null : isSameEnd(a, b)
