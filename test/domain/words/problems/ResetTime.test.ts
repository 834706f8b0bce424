import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { resetTime } from "../../../../src/domain/words/problems/ResetTime.ts"

// A Saturday.
const at = Date.parse("2026-11-21T12:34:56.000Z")
const read = (text: string, zone = "Europe/Zurich") => resetTime(text, at, zone)
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Each: a text, the first moment at which the limit may end, and how much later it may be. */
type Rows = ReadonlyArray<readonly [text: string, until: string, within: number]>

describe("the end of a limit", () => {
  it.each<Rows[number]>([
    ["resets at 2026-11-21T18:00:00Z", "2026-11-21T18:00:00.000Z", second],
    ["Limit resets 2026-11-21T18:00:00.250+02:00", "2026-11-21T16:00:00.250Z", 0],
    ["Limit resets 2026-11-21T18:00:00.2+02:00", "2026-11-21T16:00:00.200Z", 100],
    ["until 2026-11-21 18:00", "2026-11-21T17:00:00.000Z", minute],
    ["until 2026-11-21 18:00 (America/New_York)", "2026-11-21T23:00:00.000Z", minute],
    ["Retry-After: Sun, 22 Nov 2026 07:28:00 GMT", "2026-11-22T07:28:00.000Z", second]
  ])("a whole date: %s", (text, until, within) => {
    assert.deepStrictEqual(read(text), { until, within })
  })

  // Whether what is left was rounded up or down is not known.
  it.each<Rows[number]>([
    ["try again in 2h 15m", "2026-11-21T14:49:56.000Z", minute],
    ["Please try again in 6m0s. Visit the page", "2026-11-21T12:40:56.000Z", second],
    ["Try again in 3 days 2 hours 5 minutes.", "2026-11-24T14:39:56.000Z", minute],
    ["Try again in 3 days 4 hours.", "2026-11-24T16:34:56.000Z", hour],
    ["Try again in 2 days.", "2026-11-23T12:34:56.000Z", day],
    ["resets in 2 hour(s) and 5 minute(s)", "2026-11-21T14:39:56.000Z", minute],
    ["resets in about an hour", "2026-11-21T13:34:56.000Z", hour],
    ["try again in 1500ms", "2026-11-21T12:34:57.500Z", 0],
    ["Retry-After: 30", "2026-11-21T12:35:26.000Z", second],
    ['"retry_after": 30,', "2026-11-21T12:35:26.000Z", second],
    ["retry_after_ms=1500", "2026-11-21T12:34:57.500Z", 0],
    ['"retry-after-ms": "1500"', "2026-11-21T12:34:57.500Z", 0],
    ['"resets_in_seconds":3600}', "2026-11-21T13:34:56.000Z", second]
  ])("a span: %s", (text, until, within) => {
    assert.deepStrictEqual(read(text), { until, within })
  })

  it.each<Rows[number]>([
    ["Claude AI usage limit reached|1795291200", "2026-11-21T20:00:00.000Z", second],
    ["x-ratelimit-reset: 1795291200.25", "2026-11-21T20:00:00.250Z", 10],
    ["resetsAt=1795291200123", "2026-11-21T20:00:00.123Z", 0]
  ])("epoch time: %s", (text, until, within) => {
    assert.deepStrictEqual(read(text), { until, within })
  })

  it.each<Rows[number]>([
    // 13:34 in Zurich
    ["You've hit your limit · resets 3pm (Europe/Zurich)", "2026-11-21T14:00:00.000Z", hour],
    ["resets 3pm (America/Los_Angeles)", "2026-11-21T23:00:00.000Z", hour],
    ["resets at 12 a.m.", "2026-11-21T23:00:00.000Z", hour],
    ["resets 15:00 (UTC+5:30)", "2026-11-22T09:30:00.000Z", minute],
    ["resets 9:00 PM GMT-3", "2026-11-22T00:00:00.000Z", minute],
    ["try again at Nov 25th, 2026 3:30 PM.", "2026-11-25T14:30:00.000Z", minute],
    ["resets on Jan 2, 9:15am (UTC)", "2027-01-02T09:15:00.000Z", minute],
    ["resets 25 November 18:00", "2026-11-25T17:00:00.000Z", minute],
    ["resets 2026-12-01 at 3pm", "2026-12-01T14:00:00.000Z", hour],
    ["resets Monday at 9:00 AM UTC", "2026-11-23T09:00:00.000Z", minute],
    ["resets tomorrow at 3pm", "2026-11-22T14:00:00.000Z", hour],
    ["resets 3pm (UTC) on Nov 25", "2026-11-25T15:00:00.000Z", hour],
    // rounded to the next minute perhaps, and to either side
    ["resets about 3:30pm", "2026-11-21T14:29:00.000Z", 3 * minute]
  ])("a time of day: %s", (text, until, within) => {
    assert.deepStrictEqual(read(text), { until, within })
  })

  it("takes a day as long as the zone's clocks make it", () => {
    const told = (text: string) => resetTime(text, Date.parse("2026-10-20T12:00:00Z"), "Europe/Zurich")
    assert.deepStrictEqual(told("resets Oct 25"), { until: "2026-10-24T22:00:00.000Z", within: 25 * hour })
    const spring = resetTime("resets Mar 28", Date.parse("2027-03-20T12:00:00Z"), "Europe/Zurich")
    assert.deepStrictEqual(spring, { until: "2027-03-27T23:00:00.000Z", within: 23 * hour })
  })

  describe("a time that clocks show twice may be either, one that they skip is about their change", () => {
    const [autumn, spring] = ["2026-10-24T12:00:00Z", "2027-03-27T12:00:00Z"]
    it.each<readonly [text: string, at: string, zone: string, until: string, within: number]>([
      ["resets 9am", autumn, "Europe/Zurich", "2026-10-25T08:00:00.000Z", hour],
      ["resets 2:30am", autumn, "Europe/Zurich", "2026-10-25T00:30:00.000Z", hour + minute],
      ["resets 2am", autumn, "Europe/Zurich", "2026-10-25T00:00:00.000Z", 2 * hour],
      ["resets 2:30am", spring, "Europe/Zurich", "2027-03-28T00:30:00.000Z", hour + minute],
      ["resets 1am", spring, "Europe/Zurich", "2027-03-28T00:00:00.000Z", hour],
      ["resets 3am", spring, "Europe/Zurich", "2027-03-28T01:00:00.000Z", hour],
      ["resets 1:30am", "2026-10-31T20:00:00Z", "America/New_York", "2026-11-01T05:30:00.000Z", hour + minute],
      ["resets 2:30am", "2027-03-13T20:00:00Z", "America/New_York", "2027-03-14T06:30:00.000Z", hour + minute],
      // by half an hour, from 2:00 to 1:30, and back from 2:00 to 2:30
      ["resets 1:45am", "2027-04-03T06:00:00Z", "Australia/Lord_Howe", "2027-04-03T14:45:00.000Z", 31 * minute],
      ["resets 1am", "2027-04-03T06:00:00Z", "Australia/Lord_Howe", "2027-04-03T14:00:00.000Z", 90 * minute],
      ["resets 1:15am", "2027-04-03T06:00:00Z", "Australia/Lord_Howe", "2027-04-03T14:15:00.000Z", minute],
      ["resets 2:45am", "2026-10-03T06:00:00Z", "Australia/Lord_Howe", "2026-10-03T15:45:00.000Z", minute],
      // another zone than the CLI's own
      ["resets 2:30am (Europe/Zurich)", autumn, "America/New_York", "2026-10-25T00:30:00.000Z", hour + minute]
    ])("%s at %s in %s", (text, at, zone, until, within) => {
      assert.deepStrictEqual(resetTime(text, Date.parse(at), zone), { until, within })
    })
  })

  describe("the same words mean the same end, within their minute and just after it", () => {
    it.each<readonly [text: string, zone: string, until: string, within: number]>([
      ["resets Sat 7:33am (Europe/Zurich)", "UTC", "2026-11-21T06:33:00.000Z", minute],
      ["resets today at 7:33am", "Europe/Zurich", "2026-11-21T06:33:00.000Z", minute],
      ["until 2026-11-21 07:33", "Europe/Zurich", "2026-11-21T06:33:00.000Z", minute],
      // over the seconds that are told, all of them are past
      ["resets 7:33:00am", "Europe/Zurich", "2026-11-21T06:33:00.000Z", second]
    ])("%s in %s", (text, zone, until, within) => {
      for (const time of ["06:20:00", "06:33:00", "06:33:00.001", "06:33:25", "06:33:59", "06:34:10", "06:47:59"])
        assert.deepStrictEqual(resetTime(text, Date.parse(`2026-11-21T${time}Z`), zone), { until, within }, time)
    })

    it("also over midnight and new year", () => {
      const end = { until: "2026-12-31T23:59:00.000Z", within: minute }
      for (const text of ["resets 11:59pm", "resets Dec 31, 11:59pm", "resets Thursday 23:59"])
        for (const time of ["2026-12-31T23:58:00Z", "2026-12-31T23:59:59Z", "2027-01-01T00:05:00Z"])
          assert.deepStrictEqual(resetTime(text, Date.parse(time), "UTC"), end, `${text} at ${time}`)
      const after = { until: "2027-01-01T00:05:00.000Z", within: minute }
      for (const time of ["2026-12-31T12:00:00Z", "2027-01-01T00:05:59Z", "2027-01-01T00:21:00Z"])
        assert.deepStrictEqual(resetTime("resets 12:05am", Date.parse(time), "UTC"), after, time)
    })
  })

  it.each<Rows[number]>([
    // the time of day is told more exactly, or as exactly and the same whenever it is read
    ["try again in 26 minutes; resets at 14:00", "2026-11-21T13:00:00.000Z", minute],
    ["try again in 90 minutes; resets at 3pm", "2026-11-21T14:04:56.000Z", minute],
    ["resets tomorrow, wait for 14h5m20s", "2026-11-22T02:40:16.000Z", second],
    ["Retry-After: 30, try again in 31 seconds", "2026-11-21T12:35:27.000Z", second]
  ])("is one moment, where that is told twice: %s", (text, until, within) => {
    assert.deepStrictEqual(read(text), { until, within })
  })

  it.each([
    "5-hour limit resets 3pm, weekly limit resets Nov 25 9am",
    "5-hour limit resets 3pm, weekly limit resets 4pm",
    "one resets in 2 hours, the other resets in 3 hours",
    "one resets at 15:00, the other resets 4pm"
  ])("is none of two: %s", (text) => {
    assert.isNull(read(text))
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
    "resets Nov 25 at 25:00",
    "resets Nov 25 at 3",
    "resets Nov 25 PST",
    "resets 3pm PST",
    "resets 3pm Pacific Time",
    "resets 3pm (ET)",
    "resets 3pm (Nowhere/Land)",
    "resets Feb 30",
    "resets Feb 30 3pm",
    "resets 2026-13-01",
    "resets 2026-02-30",
    "resets 2026-13-01T00:00:00Z",
    "Retry-After: 2026-12-01x",
    "resets in a few minutes",
    "resets in 5",
    "in 2 hour(s) and 5 minute(s)",
    "reset_at: 12",
    "resets in 3 months",
    "resets at 2026-11-21T12:00:00Z",
    "reset|1663740800",
    "resets_at: 1995291200",
    "resets Nov 20",
    "resets Nov 20 3pm",
    "it is 3pm",
    "in 5 minutes"
  ])("is not guessed: %s", (text) => {
    assert.isNull(read(text))
  })

  it("reads a long text in time that grows with it", () => {
    for (const part of ["resets ", "retry again in 1h ", "resets 1h1h", "reset at on in ", ", ", "resets 3pm "])
      assert.doesNotThrow(() => read(part.repeat(20_000)))
  })

  const words = [
    "resets",
    "try again",
    "Retry-After:",
    "|",
    "in",
    "at",
    "about",
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
    "2026-11-21",
    "2026-11-21T18:00:00Z",
    "0000-00-00",
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
    "is null or a moment to come or just past, whatever the text",
    {
      text: Schema.Array(Schema.Literals(words)),
      glue: Schema.Literals(["", " "]),
      zone: Schema.Literals(zones),
      at: Schema.Union([Schema.Finite, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4e12 }))])
    },
    ({ at, glue, text, zone }) => {
      const end = resetTime(text.join(glue), at, zone)
      if (end !== null) {
        assert.isAtLeast(end.within, 0)
        assert.isTrue(Number.isInteger(end.within))
        assert.isAtLeast(Date.parse(end.until) + end.within, at - 15 * minute)
        assert.isAtMost(Date.parse(end.until), at + 101 * day)
        assert.match(end.until, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
    },
    { arbitrary: { runs: 1_000 } }
  )
})
