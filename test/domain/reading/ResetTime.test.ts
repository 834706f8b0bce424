import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { resetTime } from "../../../src/domain/reading/ResetTime.ts"

// A Saturday.
const at = Date.parse("2026-11-21T12:34:56.000Z")
const read = (text: string, zone = "Europe/Zurich") => resetTime(text, at, zone)

describe("the end of a limit", () => {
  it.each([
    ["resets at 2026-11-21T18:00:00Z", "2026-11-21T18:00:00.000Z"],
    ["Limit resets 2026-11-21T18:00:00.250+02:00", "2026-11-21T16:00:00.250Z"],
    ["try again at 2026-11-21 18:00:00 UTC", "2026-11-21T18:00:00.000Z"],
    ["until 2026-11-21 18:00", "2026-11-21T17:00:00.000Z"],
    ["until 2026-11-21 18:00 (America/New_York)", "2026-11-21T23:00:00.000Z"],
    ["Retry-After: Sun, 22 Nov 2026 07:28:00 GMT", "2026-11-22T07:28:00.000Z"]
  ])("a whole date: %s", (text, until) => {
    assert.strictEqual(read(text), until)
  })

  it.each([
    ["try again in 2h 15m", "2026-11-21T14:49:56.000Z"],
    ["Please try again in 6m0s. Visit the page", "2026-11-21T12:40:56.000Z"],
    ["Try again in 3 days 2 hours 5 minutes.", "2026-11-24T14:39:56.000Z"],
    ["available in 2 hours, and 5 minutes", "2026-11-21T14:39:56.000Z"],
    ["in 2 hour(s) and 5 minute(s)", null],
    ["resets in 2 hour(s) and 5 minute(s)", "2026-11-21T14:39:56.000Z"],
    ["Your quota will reset after 18h20m10s.", "2026-11-22T06:55:06.000Z"],
    ["resets in about an hour", "2026-11-21T13:34:56.000Z"],
    ["try again in 1.5s", "2026-11-21T12:34:57.500Z"],
    ["retrying in ~5 minutes", "2026-11-21T12:39:56.000Z"],
    ["wait for 30 seconds", "2026-11-21T12:35:26.000Z"],
    ['{"retryDelay":"34.0748s"}', "2026-11-21T12:35:30.075Z"],
    ["Retry-After: 30", "2026-11-21T12:35:26.000Z"],
    ['"retry_after": 30,', "2026-11-21T12:35:26.000Z"],
    ["retry_after_ms=1500", "2026-11-21T12:34:57.500Z"],
    ['"resets_in_seconds":3600}', "2026-11-21T13:34:56.000Z"]
  ])("a span: %s", (text, until) => {
    assert.strictEqual(read(text), until)
  })

  it.each([
    ["Claude AI usage limit reached|1795291200", "2026-11-21T20:00:00.000Z"],
    ['{"resets_at":1795291200}', "2026-11-21T20:00:00.000Z"],
    ["x-ratelimit-reset: 1795291200", "2026-11-21T20:00:00.000Z"],
    ["resetsAt=1795291200123", "2026-11-21T20:00:00.123Z"]
  ])("epoch time: %s", (text, until) => {
    assert.strictEqual(read(text), until)
  })

  it.each([
    // 13:34 in Zurich
    ["You've hit your limit · resets 3pm (Europe/Zurich)", "2026-11-21T14:00:00.000Z"],
    ["resets 3pm (America/Los_Angeles)", "2026-11-21T23:00:00.000Z"],
    ["resets 3pm", "2026-11-21T14:00:00.000Z"],
    ["Your limit resets 3:30am", "2026-11-22T02:30:00.000Z"],
    ["resets at 12 a.m.", "2026-11-21T23:00:00.000Z"],
    ["resets 12pm (UTC)", "2026-11-22T12:00:00.000Z"],
    ["resets at 15:00 UTC.", "2026-11-21T15:00:00.000Z"],
    ["resets 15:00 (UTC+5:30)", "2026-11-22T09:30:00.000Z"],
    ["resets 9:00 PM GMT-3", "2026-11-22T00:00:00.000Z"],
    ["resets 13:34", "2026-11-21T12:34:56.000Z"],
    ["resets 13:33", "2026-11-22T12:33:00.000Z"],
    ["try again at 3:30 PM.", "2026-11-21T14:30:00.000Z"],
    ["try again at Nov 25th, 2026 3:30 PM.", "2026-11-25T14:30:00.000Z"],
    ["resets Nov 25 at 9am (Europe/Zurich)", "2026-11-25T08:00:00.000Z"],
    ["resets on Jan 2, 9:15am (UTC)", "2027-01-02T09:15:00.000Z"],
    ["resets 25 November 18:00", "2026-11-25T17:00:00.000Z"],
    ["resets Mon 3pm", "2026-11-23T14:00:00.000Z"],
    ["resets Monday at 9:00 AM UTC", "2026-11-23T09:00:00.000Z"],
    ["resets Sat 1pm (Europe/Zurich)", "2026-11-28T12:00:00.000Z"],
    ["resets Sat, Nov 28, 1pm", "2026-11-28T12:00:00.000Z"],
    ["resets tomorrow at 3pm", "2026-11-22T14:00:00.000Z"],
    ["resets 3pm tomorrow", "2026-11-22T14:00:00.000Z"],
    ["resets 3pm (UTC) on Nov 25", "2026-11-25T15:00:00.000Z"],
    ["available again at 15:00 local time", "2026-11-21T14:00:00.000Z"]
  ])("a time of day: %s", (text, until) => {
    assert.strictEqual(read(text), until)
  })

  it("follows the clocks of the zone, also where they are set back or forward", () => {
    const before = Date.parse("2026-10-24T12:00:00Z")
    assert.strictEqual(resetTime("resets 9am", before, "Europe/Zurich"), "2026-10-25T08:00:00.000Z")
    assert.strictEqual(
      resetTime("resets 2:30am", before, "Europe/Zurich"),
      "2026-10-25T01:30:00.000Z",
      "the later of the two"
    )
    const spring = Date.parse("2027-03-27T12:00:00Z")
    assert.strictEqual(
      resetTime("resets 2:30am", spring, "Europe/Zurich"),
      "2027-03-28T01:30:00.000Z",
      "3:30 stands for it"
    )
  })

  it("takes one moment that is told twice, and no two moments", () => {
    assert.strictEqual(read("try again in 26 minutes; resets at 14:00"), "2026-11-21T13:00:56.000Z")
    assert.isNull(read("5-hour limit resets 3pm, weekly limit resets Nov 25 9am"))
  })

  it.each([
    "",
    "rate limit exceeded",
    "resets",
    "resets soon",
    "resets 3",
    "resets at 15",
    "resets 13pm",
    "resets 0am",
    "resets 25:00",
    "resets 12:60",
    "resets 3pm PST",
    "resets 3pm Pacific Time",
    "resets 3pm (ET)",
    "resets 3pm (Nowhere/Land)",
    "resets Nov 25",
    "resets on 2026-12-01",
    "resets Feb 30 3pm",
    "resets 2026-13-01T00:00:00Z",
    "resets in a few minutes",
    "resets in 5",
    "reset_at: 12",
    "resets in 3 months",
    "resets at 2026-11-21T12:00:00Z",
    "reset|1663740800",
    "resets_at: 1995291200",
    "resets Nov 20 3pm",
    "it is 3pm",
    "in 5 minutes"
  ])("is not guessed: %s", (text) => {
    assert.isNull(read(text))
  })

  it("needs a zone that there is, only where it counts", () => {
    assert.isNull(read("resets 3pm", "Nowhere/Land"))
    assert.strictEqual(read("resets 3pm (UTC)", "Nowhere/Land"), "2026-11-21T15:00:00.000Z")
    assert.strictEqual(read("in 5s, try again in 5s", "Nowhere/Land"), "2026-11-21T12:35:01.000Z")
    assert.strictEqual(read("resets 3pm", "+05:30"), "2026-11-22T09:30:00.000Z")
  })

  it("reads a long text in time that grows with it", () => {
    for (const part of ["resets ", "retry again in 1h ", "resets 1h1h", "reset at on in ", ", "])
      assert.doesNotThrow(() => read(part.repeat(20_000)))
  })

  const words = [
    "resets",
    "try again",
    "Retry-After:",
    "|",
    "in",
    "at",
    "3pm",
    "15:00",
    "2h",
    "15m",
    "1795291200",
    "99999999999999",
    "Nov",
    "25",
    "(UTC)",
    "UTC+99",
    "tomorrow",
    "Mon",
    "2026-11-21T18:00:00Z",
    "0000-00-00T99:99:99Z",
    ",",
    "and",
    "12:34",
    "Z"
  ] as const
  const zones = ["UTC", "Europe/Zurich", "Pacific/Apia", "-03:30", "none"] as const
  it.each([-3_298_415_618_534_159, -1, Date.UTC(10_000, 0), 8.64e15, NaN, Infinity])(
    "is null at %d, which no clock shows",
    (at) => assert.isNull(resetTime("resets in 5 hours", at, "UTC"))
  )

  it.prop(
    "is null or a moment to come, whatever the text",
    {
      text: Schema.Array(Schema.Literals(words)),
      glue: Schema.Literals(["", " "]),
      zone: Schema.Literals(zones),
      at: Schema.Union([Schema.Finite, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4e12 }))])
    },
    ({ at, glue, text, zone }) => {
      const until = resetTime(text.join(glue), at, zone)
      if (until !== null) {
        assert.isAtLeast(Date.parse(until), at)
        assert.isAtMost(Date.parse(until), at + 101 * 86_400_000)
        assert.match(until, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
    },
    { arbitrary: { runs: 1_000 } }
  )

  it.prop(
    "goes with the moment, for a span",
    {
      seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_000_000 })),
      at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4e12 }))
    },
    ({ at, seconds }) => {
      const [days, hours, minutes, rest] = [
        Math.floor(seconds / 86_400),
        Math.floor(seconds / 3600) % 24,
        Math.floor(seconds / 60) % 60,
        seconds % 60
      ]
      for (const text of [
        `${seconds === 0 ? 0 : `${days}d ${hours}h ${minutes}m ${rest}`}s`,
        `${days} days, ${hours} hours, ${minutes} minutes and ${rest} seconds`
      ]) {
        assert.strictEqual(Date.parse(resetTime(`try again in ${text}`, at, "UTC") ?? ""), at + seconds * 1_000, text)
      }
    }
  )

  it.prop(
    "is the next time that the zone's clocks show it",
    {
      hour: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 23 })),
      minute: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 59 })),
      at: Schema.Int.check(Schema.isBetween({ minimum: 1.7e12, maximum: 1.9e12 }))
    },
    ({ at, hour, minute }) => {
      const wall = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`
      const until = Date.parse(resetTime(`resets ${wall}`, at, "Asia/Kolkata") ?? "")
      assert.isBelow(until - at, 86_400_000)
      assert.strictEqual(new Date(until + 5.5 * 3_600_000).toISOString().slice(11, 16), wall)
    }
  )
})
