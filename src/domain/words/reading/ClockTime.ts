import { DateTime, Option } from "effect"

/** A stated time, in milliseconds since the epoch: between `from` and `to`. */
export interface StatedTime {
  readonly from: number
  readonly to: number
  /** The unit in which it is stated, in milliseconds; 0 for milliseconds. */
  readonly unit: number
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/**
 * For so many milliseconds after a limit's end, its time of day still means that end and not the next day's: that a CLI
 * repeats it is far more likely, because limits of a day or more are stated with their day. A quarter of an hour is
 * longer than a CLI continues with requests of its own, and shorter than any limit.
 */
export const repeated = 900_000

/** The precision of a number in this unit with so many decimals, in milliseconds; 0 for a millisecond or finer. */
export const finer = (unit: number, decimals: number): number => {
  const found = unit / 10 ** decimals
  return found > 1 ? found : 0
}

const decimalsOf = (number: string): number => number.split(".")[1]?.length ?? 0

// ---- a whole date and time

const stamp = /^(\d{4}-\d\d-\d\d)(?:T|\s+)(\d\d):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?\s*(Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d)?/i
const httpDate = /^(?:[A-Z][a-z]{2},\s*)?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT\b/

export const readStamp = (rest: string, zone: string): StatedTime | null => {
  const http = httpDate.exec(rest)
  if (http !== null) {
    const [, date, month, year, ...time] = http
    return during(
      { year: Number(year), month: monthOf(month ?? ""), day: Number(date) },
      timeOf(Number(time[0]), time[1], time[2]),
      "UTC"
    )
  }
  const found = stamp.exec(rest)
  if (found === null) return null
  const [, date = "", hours, minutes, seconds, own] = found
  const named = own === undefined ? zoneName.exec(rest.slice(found[0].length)) : null
  const here = own !== undefined ? offset(own) : named === null ? zone : zoneOf(named)
  return during(isoDay(date), timeOf(Number(hours), minutes, seconds), here)
}

const offset = (text: string): string => (/^[+-]/.test(text) ? text.replace(/^(...):?(..)$/, "$1:$2") : "UTC")

// ---- a time of day, with a day before or after it, or without; a day alone

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
/** From 1; 0 for none. */
const monthOf = (name: string): number => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

const monthName =
  String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?` +
  String.raw`|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`
const weekdayName =
  String.raw`(?:sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?` +
  String.raw`|fri(?:day)?|sat(?:urday)?)\b\.?`
const th = String.raw`(?:st|nd|rd|th)?`
const dayPattern = new RegExp(
  String.raw`^[\s,]*(?:on\s+)?(?:(?<relative>today|tomorrow)\b|(?<iso>\d{4}-\d\d-\d\d)(?![\w-])` +
    String.raw`|(?:(?<weekday>${weekdayName}))?` +
    String.raw`(?:[\s,]*(?:(?<month>${monthName})\s+(?<day>\d{1,2})${th}\b` +
    String.raw`|(?<dayFirst>\d{1,2})${th}\s+(?<monthAfter>${monthName}))(?:,?\s+(?<year>\d{4})\b(?!:))?)?)`,
  "i"
)
const timePattern = /^[\s,·]*(?:at\s+)?(\d{1,2})(?::(\d\d)(?::(\d\d))?)?(?!\d|:|\.\d)(?:\s*([ap])\.?m\b\.?)?/i

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** A part of a day: its start, in milliseconds since midnight by the clock, and the unit in which it is stated. */
interface PartOfDay {
  readonly start: number
  readonly unit: number
}

const wholeDay: PartOfDay = { start: 0, unit: day }

/** Null for a time that no clock shows. */
const timeOf = (hours: number, minutes: string | undefined, seconds: string | undefined): PartOfDay | null => {
  if (hours > 23 || Number(minutes ?? 0) > 59 || !(Number(seconds ?? 0) < 60)) return null
  const unit = seconds !== undefined ? finer(second, decimalsOf(seconds)) : minutes !== undefined ? minute : hour
  // Rounding: 32.05 seconds times 1,000 is slightly too small.
  const millis = Math.floor(Number(seconds ?? 0) * second + 1e-6)
  return { start: hours * hour + Number(minutes ?? 0) * minute + millis, unit }
}

/** The first matching time that is not long past. `about`: the time is stated as approximate. */
export const readClock = (rest: string, at: number, zone: string, about: boolean): StatedTime | null => {
  const before = dayPattern.exec(rest)
  let left = rest.slice(before?.[0].length ?? 0)
  const found = timePattern.exec(left)
  const hours = found === null ? null : hourOf(Number(found[1]), found[4], found[2] !== undefined)
  const time = found === null ? wholeDay : hours === null ? null : timeOf(hours, found[2], found[3])
  if (time === null) return null
  left = left.slice(found?.[0].length ?? 0)
  if (foreignZone.test(left)) return null
  const named = zoneName.exec(left)
  const here = named === null ? zone : zoneOf(named)
  left = left.slice(named?.[0].length ?? 0)
  const now = dayAt(at, here)
  if (now === null) return null
  const days =
    daysOf(before, now) ?? (found === null ? null : (daysOf(dayPattern.exec(left), now) ?? daysAround(now, 1)))
  for (const date of days ?? []) {
    const told = during(date, time, here)
    // "About" may round to the next unit.
    const wide = told !== null && about ? { ...told, from: told.from - told.unit, to: told.to + told.unit } : told
    if (wide !== null && wide.to + repeated >= at) return wide
  }
  return null
}

/** The hour of the day (0 to 23); null if the text may mean two hours, or none. */
const hourOf = (hour: number, meridiem: string | undefined, minutes: boolean): number | null => {
  if (meridiem !== undefined) return hour < 1 || hour > 12 ? null : (hour % 12) + (/^p/i.test(meridiem) ? 12 : 0)
  return minutes && hour < 24 ? hour : null
}

/** The days that may be meant, also past ones (a time of yesterday may just be over), in order; null: none is named. */
const daysOf = (match: RegExpExecArray | null, now: Day): ReadonlyArray<Day> | null => {
  const { day, dayFirst, iso, month, monthAfter, relative, weekday, year } = match?.groups ?? {}
  if (relative !== undefined) return [dayAfter(now, /tomorrow/i.test(relative) ? 1 : 0)]
  if (iso !== undefined) return [isoDay(iso)]
  const name = month ?? monthAfter
  if (name !== undefined) {
    const years = year === undefined ? [now.year - 1, now.year, now.year + 1] : [Number(year)]
    return years.map((year) => ({ year, month: monthOf(name), day: Number(day ?? dayFirst) }))
  }
  if (weekday === undefined) return null
  const wanted = weekdays.indexOf(weekday.slice(0, 3).toLowerCase())
  return daysAround(now, 7).filter((day) => weekdayOf(day) === wanted)
}

const daysAround = (now: Day, days: number): ReadonlyArray<Day> =>
  Array.from({ length: days + 2 }, (_, i) => dayAfter(now, i - 1))

/** Zones by a name or an abbreviation, which is ambiguous: a time with one is not read. */
const foreignZone =
  /^\s*\(?\s*(?!GMT\b)(?:[A-Z]{1,4}T\b|MSK\b|(?!Local)[A-Z][a-z]+ (?:[Ss]tandard |[Dd]aylight )?[Tt]ime\b)/
const zoneName = new RegExp(
  String.raw`^\s*(?:(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?\b` +
    String.raw`|\(\s*(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?\s*\)` +
    String.raw`|\(\s*([A-Z][\w/+-]*)\s*\)|((?:[A-Z][A-Za-z_]+\/)+[A-Za-z_]+|UTC\b|GMT\b|Z\b))`
)

const zoneOf = (match: RegExpExecArray): string => {
  const sign = match[1] ?? match[4]
  if (sign !== undefined)
    return `${sign}${(match[2] ?? match[5] ?? "").padStart(2, "0")}:${match[3] ?? match[6] ?? "00"}`
  const name = match[7] ?? match[8] ?? ""
  return name === "Z" || name === "GMT" ? "UTC" : name
}

// ---- the calendar

const dayAt = (at: number, zone: string): Day | null => {
  const zoned = Option.getOrNull(DateTime.makeZoned(at, { timeZone: zone }))
  return zoned === null ? null : DateTime.toParts(zoned)
}

/**
 * From when to when a zone's clocks show this part of a day; null for an impossible day or zone. If they show it twice,
 * from the first time to the second. If they skip it, from the result of one offset to that of the other.
 */
const during = (date: Day, time: PartOfDay | null, zone: string): StatedTime | null => {
  if (time === null || date.month < 1 || date.month > 12) return null
  const { start, unit } = time
  const utc = DateTime.make(date)
  if (Option.isNone(utc) || DateTime.toPartsUtc(utc.value).day !== date.day) return null
  const from = instant(date, start, zone, "earlier")
  const last = instant(date, start + Math.max(0, unit - 1), zone, "later")
  return from === null || last === null ? null : { from, to: last + Math.min(unit, 1), unit }
}

const instant = (date: Day, millis: number, zone: string, disambiguation: "earlier" | "later"): number | null => {
  const parts = {
    year: date.year,
    month: date.month,
    day: date.day,
    hour: Math.floor(millis / hour),
    minute: Math.floor(millis / minute) % 60,
    second: Math.floor(millis / second) % 60,
    millisecond: millis % second
  }
  const zoned = DateTime.makeZoned(parts, { timeZone: zone, adjustForTimeZone: true, disambiguation })
  return Option.isNone(zoned) ? null : DateTime.toEpochMillis(zoned.value)
}

const isoDay = (date: string): Day => {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number)
  return { year, month, day }
}

const noon = ({ day, month, year }: Day): DateTime.Utc => DateTime.makeUnsafe({ year, month, day, hour: 12 })

const dayAfter = (day: Day, days: number): Day => DateTime.toPartsUtc(DateTime.add(noon(day), { days }))

const weekdayOf = (day: Day): number => DateTime.toPartsUtc(noon(day)).weekDay
