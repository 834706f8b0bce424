import { DateTime, Option } from "effect"

/**
 * When a limit ends according to a text: ISO 8601 in UTC, or null if the text does not say it, is ambiguous, or names
 * the past. `at` is the moment of the text (milliseconds since the epoch), `zone` the time zone of the CLI that wrote
 * it (`Europe/Zurich`, `+02:00`), for times without a zone. Total.
 */
export const resetTime = (text: string, at: number, zone: string): string | null => {
  if (!(at >= 0 && at <= latest)) return null
  const read = text.slice(0, longest)
  const moments: Array<number> = []
  for (const match of read.matchAll(anchor)) {
    const moment = readTime(read.slice(match.index + match[0].length), unitOf(match[0]), at, zone)
    if (moment !== null) moments.push(moment)
  }
  if (moments.length === 0) return null
  const last = Math.ceil(Math.max(...moments))
  // Two statements of one moment differ by rounding only; two limits with different ends are left to the user.
  if (last - Math.min(...moments) > agreement || last < at || last > at + horizon) return null
  return DateTime.formatIso(DateTime.makeUnsafe(last))
}

/** An error's text is read no further than this. */
const longest = 4_000
/** ISO 8601 writes years of four digits: no text is from before 1970 or after this moment. */
const latest = Date.UTC(9999, 0)
const agreement = 60_000
/** No limit lasts longer: a day further ahead is one of the past, and a number beyond it is not a time. */
const horizon = 100 * 86_400_000

/** What a time follows, with the small words between. `|` is followed by epoch seconds alone. */
const anchor = new RegExp(
  String.raw`\b(?:x-ratelimit-reset(?:-\w+)?` +
    String.raw`|(?:resets?|retry)[-_ ]?(?:after|delay|at|in)(?:[-_ ]?(?:ms|millis|milliseconds|seconds|secs))?` +
    String.raw`|resets?|resetting|renews?|refresh(?:es)?|(?:try|retry|retrying|available|come back|continue)(?: it)?(?: again)?|wait|until)\b` +
    String.raw`["']?\s*(?:[:=]\s*)?["']?(?:(?:will|be|for|again|about|around|approximately|the|at|on|in|after|by|is)\s+|[~≈]\s*)*` +
    String.raw`|\|(?=\d{10}\b)`,
  "gi"
)

/** The unit of a number without one, in milliseconds, if the name before it gives it. */
const unitOf = (name: string): number | null =>
  /(?:ms|millis|milliseconds)["']?\s*[:=]/i.test(name)
    ? 1
    : /seconds["']?\s*[:=]|secs["']?\s*[:=]|retry[-_ ]?after["']?\s*[:=]?\s*["']?$/i.test(name)
      ? 1_000
      : null

const readTime = (rest: string, unit: number | null, at: number, zone: string): number | null =>
  readStamp(rest, zone) ?? readSpan(rest, at) ?? readNumber(rest, unit, at) ?? readClock(rest, at, zone)

// ---- a whole date and time

const stamp = /^(\d{4}-\d\d-\d\d)(?:T|\s+)(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d)?/i
const httpDate = /^(?:[A-Z][a-z]{2},\s*)?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT\b/

const readStamp = (rest: string, zone: string): number | null => {
  const http = httpDate.exec(rest)
  if (http !== null) {
    const [, day, month, year, hour, minute, second] = http
    return instant(
      {
        year: Number(year),
        month: monthOf(month ?? ""),
        day: Number(day),
        hour: Number(hour),
        minute: Number(minute),
        second: Number(second)
      },
      "UTC"
    )
  }
  const iso = stamp.exec(rest)
  if (iso === null) return null
  const [year = 0, month = 0, day = 0] = (iso[1] ?? "").split("-").map(Number)
  const [hour = 0, minute = 0, second = 0] = (iso[2] ?? "").split(":").map(Number)
  const named = iso[3] === undefined ? zoneName.exec(rest.slice(iso[0].length)) : null
  const here = iso[3] !== undefined ? offset(iso[3]) : named === null ? zone : zoneOf(named)
  return instant({ year, month, day, hour, minute, second }, here)
}

const offset = (text: string): string => (/^[+-]/.test(text) ? text.replace(/^(...):?(..)$/, "$1:$2") : "UTC")

// ---- a span

const units: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:milliseconds?|millis|ms)$/i, 1],
  [/^(?:seconds?|secs?|s)$/i, 1_000],
  [/^(?:minutes?|mins?|m)$/i, 60_000],
  [/^(?:hours?|hrs?|h)$/i, 3_600_000],
  [/^(?:days?|d)$/i, 86_400_000],
  [/^(?:weeks?|w)$/i, 604_800_000]
]
const spanPart =
  /^(?:,\s*|\s+)?(?:and\s+)?(\d{1,6}(?:\.\d{1,12})?|an?(?=\s))\s*(milliseconds?|millis|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])(?:\(s\))?/i

const readSpan = (rest: string, at: number): number | null => {
  let left = rest
  let span = 0
  let smallest = Infinity
  for (let part = spanPart.exec(left); part !== null; part = spanPart.exec(left)) {
    const size = units.find(([name]) => name.test(part?.[2] ?? ""))?.[1] ?? Infinity
    // Parts go from larger to smaller units; a part that does not belongs to another sentence.
    if (size >= smallest) break
    smallest = size
    span += (/^\d/.test(part[1] ?? "") ? Number(part[1]) : 1) * size
    left = left.slice(part[0].length)
  }
  return smallest === Infinity ? null : at + span
}

// ---- a number

const readNumber = (rest: string, unit: number | null, at: number): number | null => {
  const found = /^(\d{1,13}(?:\.\d{1,9})?)(?![\d:.]*\d|\s*[ap]\.?m\b)/i.exec(rest)?.[1]
  if (found === undefined) return null
  const number = Number(found)
  if (number >= 1e12) return number
  if (number >= 1e9) return number * 1_000
  return unit === null ? null : at + number * unit
}

// ---- a time of day, with a day before or after it, or without

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
/** From 1; 0 for none. */
const monthOf = (name: string): number => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

const month = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`
const dayPattern = new RegExp(
  String.raw`^[\s,]*(?:on\s+)?(?:(?<relative>today|tomorrow)\b` +
    String.raw`|(?:(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?)\b\.?)?` +
    String.raw`(?:[\s,]*(?:(?<month>${month})\s+(?<day>\d{1,2})(?:st|nd|rd|th)?\b|(?<dayFirst>\d{1,2})(?:st|nd|rd|th)?\s+(?<monthAfter>${month}))(?:,?\s+(?<year>\d{4})\b(?!:))?)?)`,
  "i"
)
const timePattern = /^[\s,·]*(?:at\s+)?(\d{1,2})(?::(\d\d)(?::(\d\d))?)?(?!\d|:|\.\d)(?:\s*([ap])\.?m\b\.?)?/i

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}
interface WallTime extends Day {
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const readClock = (rest: string, at: number, zone: string): number | null => {
  const before = dayPattern.exec(rest)
  let left = rest.slice(before?.[0].length ?? 0)
  const time = timePattern.exec(left)
  const hour = time === null ? null : hourOf(Number(time[1]), time[4], time[2] !== undefined)
  if (time === null || hour === null) return null
  left = left.slice(time[0].length)
  if (foreignZone.test(left)) return null
  const named = zoneName.exec(left)
  const here = named === null ? zone : zoneOf(named)
  left = left.slice(named?.[0].length ?? 0)
  const now = wallTime(at, here)
  if (now === null) return null
  const days = daysOf(before, now) ?? daysOf(dayPattern.exec(left), now) ?? [now, dayAfter(now, 1)]
  // The named minute may be the present one: the text arrives a moment after it was written.
  const from = at - (at % 60_000)
  for (const day of days) {
    const moment = instant({ ...day, hour, minute: Number(time[2] ?? 0), second: Number(time[3] ?? 0) }, here)
    if (moment !== null && moment >= from) return Math.max(moment, at)
  }
  return null
}

/** The hour of the day (0 to 23); null if the text may mean two hours, or none. */
const hourOf = (hour: number, half: string | undefined, minutes: boolean): number | null => {
  if (half !== undefined) return hour < 1 || hour > 12 ? null : (hour % 12) + (/^p/i.test(half) ? 12 : 0)
  return minutes && hour < 24 ? hour : null
}

/** The days that may be meant, in order; null if none is named. */
const daysOf = (match: RegExpExecArray | null, now: WallTime): ReadonlyArray<Day> | null => {
  const { day, dayFirst, month, monthAfter, relative, weekday, year } = match?.groups ?? {}
  if (relative !== undefined) return [dayAfter(now, /tomorrow/i.test(relative) ? 1 : 0)]
  const name = month ?? monthAfter
  if (name !== undefined) {
    const years = year === undefined ? [now.year, now.year + 1] : [Number(year)]
    return years.map((year) => ({ year, month: monthOf(name), day: Number(day ?? dayFirst) }))
  }
  if (weekday === undefined) return null
  const wanted = weekdays.indexOf(weekday.slice(0, 3).toLowerCase())
  return [0, 1, 2, 3, 4, 5, 6, 7].map((days) => dayAfter(now, days)).filter((day) => weekdayOf(day) === wanted)
}

/** Abbreviations of zones are ambiguous. */
const foreignZone =
  /^\s*\(?\s*(?!GMT\b)(?:[A-Z]{1,4}T\b|MSK\b|(?!Local)[A-Z][a-z]+ (?:[Ss]tandard |[Dd]aylight )?[Tt]ime\b)/
const zoneName =
  /^\s*(?:(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?\b|\(\s*(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d\d))?\s*\)|\(\s*([A-Z][\w/+-]*)\s*\)|((?:[A-Z][A-Za-z_]+\/)+[A-Za-z_]+|UTC\b|GMT\b|Z\b))/

const zoneOf = (match: RegExpExecArray): string => {
  const sign = match[1] ?? match[4]
  if (sign !== undefined)
    return `${sign}${(match[2] ?? match[5] ?? "").padStart(2, "0")}:${match[3] ?? match[6] ?? "00"}`
  const name = match[7] ?? match[8] ?? ""
  return name === "Z" || name === "GMT" ? "UTC" : name
}

// ---- the calendar

const wallTime = (at: number, zone: string): WallTime | null => {
  const zoned = Option.getOrNull(DateTime.makeZoned(at, { timeZone: zone }))
  return zoned === null ? null : DateTime.toParts(zoned)
}

/**
 * The moment at which a zone's clocks show this (the later of two, when they are set back); null for an impossible
 * time.
 */
const instant = ({ day, hour, minute, month, second, year }: WallTime, zone: string): number | null => {
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || !(second < 60)) return null
  const parts = {
    year,
    month,
    day,
    hour,
    minute,
    second: Math.floor(second),
    millisecond: Math.round((second % 1) * 1_000)
  }
  const utc = DateTime.make(parts)
  if (Option.isNone(utc) || DateTime.toPartsUtc(utc.value).day !== day) return null
  const zoned = DateTime.makeZoned(parts, { timeZone: zone, adjustForTimeZone: true, disambiguation: "later" })
  return Option.isNone(zoned) ? null : DateTime.toEpochMillis(zoned.value)
}

const noon = ({ day, month, year }: Day): DateTime.Utc => DateTime.makeUnsafe({ year, month, day, hour: 12 })

const dayAfter = (day: Day, days: number): Day => DateTime.toPartsUtc(DateTime.add(noon(day), { days }))

const weekdayOf = (day: Day): number => DateTime.toPartsUtc(noon(day)).weekDay
