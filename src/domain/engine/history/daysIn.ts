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

/** The day of this moment, by the zone's calendar. */
export const dayAround = (at: number, zone: DateTime.TimeZone): Span => {
  const day = DateTime.startOf(DateTime.setZone(DateTime.makeUnsafe(at), zone), "day")
  // A day has 23 to 25 hours.
  const next = DateTime.startOf(DateTime.add(day, { hours: 36 }), "day")
  return { from: DateTime.toEpochMillis(day), to: DateTime.toEpochMillis(next) }
}
