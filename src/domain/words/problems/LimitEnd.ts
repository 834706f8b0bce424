import type { Problem } from "../session/Session.ts"

/** The stated end of a limit: between `until` and `within` milliseconds after it. */
export type StatedEnd = Pick<Problem, "until" | "within">

const interval = ({ until, within = 0 }: StatedEnd): readonly [from: number, to: number] | null => {
  const from = until === null ? Number.NaN : Date.parse(until)
  return Number.isNaN(from) ? null : [from, from + Math.max(0, within)]
}

/** When a limit is certainly over (milliseconds since the epoch), however inexact its end; null if unknown. */
export const latestEnd = (problem: StatedEnd): number | null => interval(problem)?.[1] ?? null

/** The text form of an end, for storage. An end stated to the minute is read as that minute. */
export const endName = ({ until, within = 0 }: StatedEnd): string => (until === null ? "" : `${until}+${within}`)
export const endNamed = (name: string): StatedEnd => {
  const [, until, within = "0"] = /^(\d{4}-[^+]+)(?:\+(\d+))?$/.exec(name) ?? []
  if (until === undefined) return { until: null }
  return until.length === 16 ? { until: `${until}:00.000Z`, within: 59_999 } : { until, within: Number(within) }
}

/** Milliseconds: leap waits for an end that is stated at least this precisely. */
const exact = 120_000
const minute = 60_000

/**
 * When it is worth trying whether a limit is over (milliseconds since the epoch); null if unknown. An end stated to the
 * minute is over after that minute; one stated to the hour or day is tried a minute after that begins.
 */
export const tryFrom = (problem: StatedEnd): number | null => {
  const found = interval(problem)
  if (found === null) return null
  const [from, to] = found
  return to - from <= exact ? to : from + minute
}

/** Whether two statements may mean the same end: some time fits both. An unknown end differs from every other. */
export const isSameEnd = (a: StatedEnd, b: StatedEnd): boolean => {
  const [one, other] = [interval(a), interval(b)]
  return one !== null && other !== null && one[0] <= other[1] && other[0] <= one[1]
}

/** Whether two statements name the same end, or both none. */
export const tellsSameEnd = (a: StatedEnd, b: StatedEnd): boolean =>
  interval(a) === null ? interval(b) === null : isSameEnd(a, b)
