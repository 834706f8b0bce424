import { DateTime } from "effect"
import { finer, readClock, readStamp, repeated, type StatedTime } from "../reading/ClockTime.ts"

/**
 * When a limit ends according to a text: from `until` (ISO 8601 in UTC) to `within` milliseconds after it, as precisely
 * as the text states it. Null if the text does not say so, is ambiguous, or names a time that is past by more than
 * `repeated` or ahead by more than `horizon`. `at` is the time of the text (milliseconds since the epoch), `zone` the
 * time zone of the CLI that wrote it (`Europe/Zurich`, `+02:00`), for times without a zone.
 */
export const resetTime = (
  text: string,
  at: number,
  zone: string
): { readonly until: string; readonly within: number } | null => {
  if (!(at >= 0 && at <= latest)) return null
  const read = text.slice(0, longest)
  const found: Array<Statement> = []
  for (const match of read.matchAll(anchor)) {
    const statement = readTime(read.slice(match.index + match[0].length), match[0], at, zone)
    if (statement !== null) found.push(statement)
  }
  const [first] = found
  if (first === undefined || !found.every((one) => found.every((other) => agree(one, other)))) return null
  const { from, to } = found.reduce(morePrecise)
  if (to + repeated < at || from > at + horizon) return null
  const start = Math.floor(from)
  return { until: DateTime.formatIso(DateTime.makeUnsafe(start)), within: Math.ceil(to) - start }
}

const longest = 4_000
/** ISO 8601 has years of four digits: no text is from before 1970 or after this time. */
const latest = Date.UTC(9999, 0)
const agreement = 60_000
/** No limit is longer: a date further ahead must mean a day that is past, and a larger number is not a time. */
const horizon = 100 * 86_400_000

/** A stated end. `told`: its earliest time, as `from`; `counted`: it is a span, counted from the text's time. */
interface Statement extends StatedTime {
  readonly told: number
  readonly counted: boolean
}

/** Two statements agree if they differ by rounding or by their units. Two different limits are left to the user. */
const agree = (one: Statement, other: Statement): boolean =>
  Math.abs(one.told - other.told) <= agreement ||
  (one.unit !== other.unit && one.from < other.to && other.from < one.to)

/** The more precise statement, else the one with a written time, else the later one. */
const morePrecise = (one: Statement, other: Statement): Statement => {
  const widths = one.to - one.from - (other.to - other.from)
  if (widths !== 0) return widths < 0 ? one : other
  if (one.counted !== other.counted) return one.counted ? other : one
  return one.told >= other.told ? one : other
}

const limitsEnd = String.raw`resets?|resetting|renews?|refresh(?:es)?`
const tryAgain = String.raw`(?:try|retry|retrying|available|come back|continue)(?: it)?(?: again)?|wait|until`
const unitName = String.raw`ms|millis|milliseconds|seconds|secs`
const aboutWord = String.raw`about|around|approximately|approx\.?|roughly|nearly|almost`
/** The words before a time, with the small words between. After `|` only epoch seconds count. */
const anchor = new RegExp(
  String.raw`\b(?:x-ratelimit-reset(?:-\w+)?` +
    String.raw`|(?:resets?|retry)[-_ ]?(?:after|delay|at|in)(?:[-_ ]?(?:${unitName}))?|${limitsEnd}|${tryAgain})\b` +
    String.raw`["']?\s*(?:[:=]\s*)?["']?` +
    String.raw`(?:(?:will|be|for|again|${aboutWord}|the|at|on|in|after|by|is)\s+|[~≈]\s*)*` +
    String.raw`|\|(?=\d{10}\b)`,
  "gi"
)

const approximate = new RegExp(String.raw`\b(?:${aboutWord})|[~≈]`, "i")

const unitOf = (name: string): number | null =>
  /(?:ms|millis|milliseconds)["']?\s*[:=]/i.test(name)
    ? 1
    : /seconds["']?\s*[:=]|secs["']?\s*[:=]|retry[-_ ]?after["']?\s*[:=]?\s*["']?$/i.test(name)
      ? 1_000
      : null

const readTime = (rest: string, name: string, at: number, zone: string): Statement | null => {
  const written = (time: StatedTime | null): Statement | null =>
    time === null ? null : { ...time, told: time.from, counted: false }
  return (
    written(readStamp(rest, zone)) ??
    readSpan(rest, at) ??
    readNumber(rest, unitOf(name), at) ??
    written(readClock(rest, at, zone, approximate.test(name)))
  )
}

// ---- a span

/**
 * A span in units of this size may have been rounded down, so the true span is less than one unit longer. If it was
 * rounded up, the end comes before the stated time; leap still waits as long as the CLI said. The same holds for an
 * approximate span, which is rounded to the nearest unit.
 */
const counted = (at: number, span: number, unit: number): Statement => ({
  from: at + span,
  to: at + span + unit,
  unit,
  told: at + span,
  counted: true
})

const units: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(?:milliseconds?|millis|ms)$/i, 1],
  [/^(?:seconds?|secs?|s)$/i, 1_000],
  [/^(?:minutes?|mins?|m)$/i, 60_000],
  [/^(?:hours?|hrs?|h)$/i, 3_600_000],
  [/^(?:days?|d)$/i, 86_400_000],
  [/^(?:weeks?|w)$/i, 604_800_000]
]
const spanUnit = "milliseconds?|millis|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w"
const spanPart = new RegExp(
  String.raw`^(?:,\s*|\s+)?(?:and\s+)?(\d{1,6}(?:\.(\d{1,12}))?|an?(?=\s))\s*(${spanUnit})(?![a-z])(?:\(s\))?`,
  "i"
)

const readSpan = (rest: string, at: number): Statement | null => {
  let left = rest
  let span = 0
  let smallest = Infinity
  let unit = 0
  for (let part = spanPart.exec(left); part !== null; part = spanPart.exec(left)) {
    const [whole, number = "", decimals = "", name = ""] = part
    const size = units.find(([known]) => known.test(name))?.[1] ?? Infinity
    // Parts go from larger to smaller units; any other part belongs to another sentence.
    if (size >= smallest) break
    smallest = size
    unit = finer(size, decimals.length)
    span += (/^\d/.test(number) ? Number(number) : 1) * size
    left = left.slice(whole.length)
  }
  return smallest === Infinity ? null : counted(at, span, unit)
}

// ---- a number

const readNumber = (rest: string, unit: number | null, at: number): Statement | null => {
  const [, found, decimals = ""] = /^(\d{1,13}(?:\.(\d{1,9}))?)(?![\d:.-]*\d|\s*[ap]\.?m\b)/i.exec(rest) ?? []
  if (found === undefined) return null
  const number = Number(found)
  const size = number >= 1e12 ? 1 : number >= 1e9 ? 1_000 : unit
  if (size === null) return null
  const precision = finer(size, decimals.length)
  if (number < 1e9) return counted(at, number * size, precision)
  const told = number * size
  return { from: told, to: told + precision, unit: precision, told, counted: false }
}
