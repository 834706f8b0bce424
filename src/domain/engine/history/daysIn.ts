import { DateTime } from "effect"
import type { Span } from "./Report.ts"

const mostDays = 366

/** The last days within this time, by the zone's calendar, with their names (`2026-11-23`). */
export const daysIn = (
  from: number,
  to: number,
  zone: DateTime.TimeZone
): { readonly spans: ReadonlyArray<Span>; readonly names: ReadonlyArray<string> } => {
  const spans: Array<Span> = []
  const names: Array<string> = []
  const last = DateTime.setZone(DateTime.makeUnsafe(Math.max(from, to - 1)), zone)
  let day = DateTime.startOf(last, "day")
  for (let end = to; spans.length < mostDays;) {
    const begin = DateTime.toEpochMillis(day)
    spans.unshift({ from: Math.max(from, begin), to: end })
    names.unshift(DateTime.formatIsoDate(day))
    if (begin <= from) break
    end = begin
    day = DateTime.startOf(DateTime.subtract(day, { hours: 12 }), "day")
  }
  return { spans, names }
}

/** The day of this moment, by this machine's clock. Hosts use it: Effect's zones load 8 MB of ICU's data. */
export const dayAround = (at: number): Span => {
  const time = new Date(at)
  const begin = (days: number) => new Date(time.getFullYear(), time.getMonth(), time.getDate() + days).getTime()
  return { from: begin(0), to: begin(1) }
}
