import { DateTime, Option } from "effect"
import { spanOf } from "./span.ts"

/** A time of day as users write it, in minutes since midnight; null if invalid. */
export const minutesOfDay = (text: string): number | null => {
  const [, hour, minute] = /^(\d{1,2}):(\d\d)$/.exec(text.trim()) ?? []
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59) return null
  return Number(hour) * 60 + Number(minute)
}

const zonedAt = (at: number, zone: string): DateTime.Zoned =>
  Option.getOrElse(DateTime.makeZoned(at, { timeZone: zone }), () => DateTime.makeZonedUnsafe(at, { timeZone: "UTC" }))

/** The minutes since midnight that a zone's clocks show at a time (milliseconds since the epoch). */
export const wallMinutes = (at: number, zone: string): number => {
  const { hour, minute } = DateTime.toParts(zonedAt(at, zone))
  return hour * 60 + minute
}

/** The time on a zone's clocks: `2026-01-02 03:00`. */
export const wallClock = (at: number, zone: string): string => {
  const { day, hour, minute, month, year } = DateTime.toParts(zonedAt(at, zone))
  const [mm, dd, hh, mi] = [month, day, hour, minute].map((part) => String(part).padStart(2, "0"))
  return `${year}-${mm}-${dd} ${hh}:${mi}`
}

/** When a zone's clocks next show this time: the later if twice, and a skipped one by the clocks before the change. */
export const nextMoment = (minutes: number, after: number, zone: string): number => {
  const today = zonedAt(after, zone)
  const timeZone = DateTime.zoneToString(today.zone)
  for (const days of [0, 1, 2]) {
    const { day, month, year } = DateTime.toPartsUtc(
      DateTime.add(DateTime.makeUnsafe({ ...dayOf(today), hour: 12 }), { days })
    )
    const parts = { year, month, day, hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0, millisecond: 0 }
    const found = DateTime.makeZoned(parts, { timeZone, adjustForTimeZone: true, disambiguation: "later" })
    const moment = Option.isNone(found) ? Number.NaN : DateTime.toEpochMillis(found.value)
    if (moment > after) return moment
  }
  // No zone skips a time of day on three days in a row.
  return after + 86_400_000
}

const dayOf = (zoned: DateTime.Zoned) => {
  const { day, month, year } = DateTime.toParts(zoned)
  return { year, month, day }
}

/**
 * The time that a user names: the next time of day (`06:30`); a span from now (`90m`); a date and time
 * (`2026-01-31T06:30`), in this zone if it names none. Null if it is invalid or past.
 */
export const momentNamed = (text: string, now: number, zone: string): number | null => {
  const minutes = minutesOfDay(text)
  if (minutes !== null) return nextMoment(minutes, now, zone)
  const span = spanOf(text)
  if (span !== null) return now + span
  const [, date, time, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text.trim()) ?? []
  if (date === undefined || time === undefined) return null
  const named = DateTime.makeZoned(`${date}T${time}${offset ?? "Z"}`, {
    timeZone: zone,
    adjustForTimeZone: offset === undefined
  })
  // An impossible day would become a day of the next month.
  if (Option.isNone(named) || Number.isNaN(Date.parse(date)) || !date.endsWith(isoDay(date))) return null
  const moment = DateTime.toEpochMillis(named.value)
  return moment > now ? moment : null
}

const isoDay = (date: string): string => DateTime.formatIso(DateTime.makeUnsafe(date)).slice(8, 10)
