import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { resetTime } from "../../../../src/domain/words/problems/ResetTime.ts"
import { isThorough } from "../../../support/run/thorough.ts"

// A limit has a true end; a CLI tells it in one of many forms, from which it is read.

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

const zones = [
  "UTC",
  "Europe/Zurich",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "+05:30"
] as const

/** Around these, clocks change or years and days begin, somewhere. */
const bases = [
  "2026-03-29T01:00:00Z",
  "2026-10-25T01:00:00Z",
  "2026-11-01T06:00:00Z",
  "2027-03-14T07:00:00Z",
  "2026-10-03T15:30:00Z",
  "2027-04-03T15:00:00Z",
  "2026-03-08T05:30:00Z",
  "2026-12-31T23:00:00Z",
  "2028-02-29T00:00:00Z"
].map((moment) => Date.parse(moment))

const End = Schema.Struct({
  base: Schema.Literals(bases),
  off: Schema.Int.check(Schema.isBetween({ minimum: -3 * hour, maximum: 3 * hour })),
  far: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 })),
  isFar: Schema.Boolean
})
const endOf = ({ base, far, isFar, off }: typeof End.Type): number => base + off + (isFar ? far * day + off * 5 : 0)

const clocks = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "short",
      day: "numeric",
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit"
    })
  ])
)

const months = "JanFebMarAprMayJunJulAugSepOctNovDec"
const monthOf = (name: string): string => String(months.indexOf(name) / 3 + 1).padStart(2, "0")

/** A moment as a zone's clocks show it. */
const wall = (moment: number, zone: (typeof zones)[number]) => {
  const parts = clocks.get(zone)?.formatToParts(moment) ?? []
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ""
  const hours = Number(of("hour"))
  return {
    half: hours < 12 ? "am" : "pm",
    h12: hours % 12 === 0 ? 12 : hours % 12,
    clock: `${of("hour")}:${of("minute")}`,
    minute: of("minute"),
    second: of("second"),
    weekday: of("weekday"),
    month: of("month"),
    day: of("day"),
    year: of("year"),
    iso: `${of("year")}-${monthOf(of("month"))}-${of("day").padStart(2, "0")}`
  }
}
type Wall = ReturnType<typeof wall>

/** Forms that name a moment: how long before its end such words can mean it, and the words. */
const named: Readonly<Record<string, readonly [reach: number, words: (end: Wall) => string]>> = {
  minute: [20 * hour, (end) => `resets ${end.h12}:${end.minute}${end.half}`],
  "minute, in capitals": [20 * hour, (end) => `try again at ${end.h12}:${end.minute} ${end.half.toUpperCase()}.`],
  "minute of 24 hours": [20 * hour, (end) => `available again at ${end.clock}`],
  second: [20 * hour, (end) => `resets at ${end.clock}:${end.second}`],
  hour: [20 * hour, (end) => `resets ${end.h12}${end.half}`],
  "about a minute": [20 * hour, (end) => `resets around ${end.clock}`],
  "weekday and hour": [6 * day, (end) => `resets ${end.weekday} ${end.h12}${end.half}`],
  "weekday and minute": [6 * day, (end) => `resets ${end.weekday} at ${end.clock}`],
  weekday: [5 * day, (end) => `resets on ${end.weekday}`],
  "date and hour": [90 * day, (end) => `resets ${end.month} ${end.day}, ${end.h12}${end.half}`],
  "date and minute": [90 * day, (end) => `resets ${end.month} ${end.day} at ${end.h12}:${end.minute}${end.half}`],
  "date, year and minute": [
    90 * day,
    (end) => `try again at ${end.month} ${end.day}th, ${end.year} ${end.h12}:${end.minute} ${end.half.toUpperCase()}`
  ],
  date: [90 * day, (end) => `resets ${end.month} ${end.day}`],
  "date in digits": [90 * day, (end) => `resets on ${end.iso}`],
  "stamp to the minute": [90 * day, (end) => `until ${end.iso} ${end.clock}`],
  "stamp to the second": [90 * day, (end) => `until ${end.iso} ${end.clock}:${end.second}`]
}

/** Forms that name a moment in their own way, whatever the zone. */
const absolute: ReadonlyArray<(moment: number) => string> = [
  (moment) => `resets at ${new Date(moment).toISOString()}`,
  (moment) => `resets at ${new Date(moment).toISOString().slice(0, 19)}Z`,
  (moment) => `Retry-After: ${new Date(moment).toUTCString()}`,
  (moment) => `usage limit reached|${Math.floor(moment / second)}`,
  (moment) => `{"resets_at":${Math.floor(moment / second)}}`,
  (moment) => `{"resetsAt":${moment}}`
]

const roundings = ["floor", "round", "ceil"] as const

/** Forms that count from the moment of the text. */
const counted: ReadonlyArray<(left: number, rounded: (value: number) => number) => string> = [
  (left, rounded) => `Retry-After: ${rounded(left / second)}`,
  (left, rounded) => `{"resets_in_seconds":${rounded(left / second)}}`,
  (left) => `retry-after-ms: ${left}`,
  (left, rounded) => `{"retryDelay":"${(rounded(left / 10) / 100).toFixed(2)}s"}`,
  (left, rounded) => {
    const all = rounded(left / second)
    return `reset after ${Math.floor(all / 3_600)}h${Math.floor(all / 60) % 60}m${all % 60}s`
  },
  (left, rounded) => `try again in ${rounded(left / minute)} minutes`,
  (left, rounded) => {
    const all = rounded(left / minute)
    return `try again in ${Math.floor(all / 1_440)} days ${Math.floor(all / 60) % 24} hours ${all % 60} minutes.`
  },
  (left, rounded) => `resets in about ${rounded(left / hour)} hours`,
  (left, rounded) => `resets in ${(rounded(left / (hour / 10)) / 10).toFixed(1)} hours`,
  (left, rounded) => `resets in ${rounded(left / day)} days`
]

/** `early`: how much earlier than told it may be, in shares of `within`. */
const holds = (text: string, at: number, zone: string, end: number, early = 0) => {
  const told = resetTime(text, at, zone)
  const where = `${text} at ${new Date(at).toISOString()} in ${zone}: ${JSON.stringify(told)}`
  if (told === null) return assert.fail(where)
  assert.isAtMost(Date.parse(told.until) - early * told.within, end, where)
  assert.isAtLeast(Date.parse(told.until) + told.within, end, where)
  return told
}

const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

describe("what is read of a limit's true end", () => {
  for (const [name, [reach, words]] of Object.entries(named))
    it.prop(
      `told to the ${name} holds it, and is the same whenever these words are read`,
      {
        end: End,
        zone: Schema.Literals(zones),
        here: Schema.Literals(zones),
        says: Schema.Boolean,
        early: Share,
        later: Share
      },
      ({ early, end, here, later, says, zone }) => {
        const moment = endOf(end)
        const text = `${words(wall(moment, zone))}${says ? ` (${zone})` : ""}`
        const own = says ? here : zone
        const at = moment - Math.round(early * reach)
        const told = holds(text, at, own, moment)
        const again = at + Math.round(later * (moment - at))
        for (const time of [again, moment, moment + 14 * minute])
          assert.deepStrictEqual(resetTime(text, time, own), told, `${text} at ${time}`)
      },
      { arbitrary: { runs: isThorough ? 1_000 : 50 } }
    )

  it.prop(
    "told as a stamp holds it, and is the same whenever it is read",
    { end: End, form: Schema.Literals(absolute.map((_, i) => i)), early: Share },
    ({ early, end, form }) => {
      const moment = endOf(end)
      const text = absolute[form]?.(moment) ?? ""
      const told = holds(text, moment - Math.round(early * 90 * day), "Europe/Zurich", moment)
      for (const time of [moment, moment + 14 * minute])
        assert.deepStrictEqual(resetTime(text, time, "Europe/Zurich"), told)
    },
    { arbitrary: { runs: isThorough ? 1_000 : 50 } }
  )

  it.prop(
    "told as a span holds it, however that is rounded",
    { end: End, form: Schema.Literals(counted.map((_, i) => i)), early: Share, rounding: Schema.Literals(roundings) },
    ({ early, end, form, rounding }) => {
      const moment = endOf(end)
      const left = Math.round(early ** 3 * 9 * day)
      holds(counted[form]?.(left, Math[rounding]) ?? "", moment - left, "Europe/Zurich", moment, 1)
    },
    { arbitrary: { runs: isThorough ? 5_000 : 300 } }
  )
})
