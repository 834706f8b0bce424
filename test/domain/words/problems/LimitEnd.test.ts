import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isSameEnd, latestEnd, type StatedEnd } from "../../../../src/domain/words/problems/LimitEnd.ts"
import { resetTime } from "../../../../src/domain/words/problems/ResetTime.ts"

const end = (until: string | null, within?: number): StatedEnd => (within === undefined ? { until } : { until, within })

describe("the latest end of a limit", () => {
  it.each<readonly [StatedEnd, string | null]>([
    [end("2026-11-21T07:33:00.000Z"), "2026-11-21T07:33:00.000Z"],
    [end("2026-11-21T07:33:00.000Z", 0), "2026-11-21T07:33:00.000Z"],
    [end("2026-11-21T07:33:00.000Z", 60_000), "2026-11-21T07:34:00.000Z"],
    [end("2026-11-21T07:33:00.000Z", -60_000), "2026-11-21T07:33:00.000Z"],
    [end(null, 60_000), null],
    [end("soon", 60_000), null]
  ])("of %j is %s", (told, latest) => {
    assert.strictEqual(latestEnd(told), latest === null ? null : Date.parse(latest))
  })
})

describe("two readings", () => {
  it.each<readonly [boolean, StatedEnd, StatedEnd]>([
    [true, end("2026-11-21T07:33:00Z"), end("2026-11-21T07:33:00.000Z")],
    [false, end("2026-11-21T07:33:00Z"), end("2026-11-21T07:33:01Z")],
    [true, end("2026-11-21T07:33:00Z", 60_000), end("2026-11-21T07:33:34Z")],
    [false, end("2026-11-21T07:33:00Z", 60_000), end("2026-11-21T07:34:01Z")],
    [true, end("2026-11-21T07:00:00Z", 3_600_000), end("2026-11-21T07:33:00Z", 60_000)],
    [false, end("2026-11-21T07:33:00Z", 60_000), end("2026-11-22T07:33:00Z", 60_000)],
    [false, end(null), end(null)],
    [false, end(null), end("2026-11-21T07:33:00Z")],
    [false, end("soon"), end("soon")]
  ])("are of one end: %s, %j and %j", (same, a, b) => {
    assert.strictEqual(isSameEnd(a, b), same)
    assert.strictEqual(isSameEnd(b, a), same)
  })

  const Moment = Schema.Int.check(Schema.isBetween({ minimum: 1.7e12, maximum: 1.9e12 }))
  const Span = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400_000 }))
  const iso = (moment: number) => new Date(moment).toISOString()

  it.prop(
    "are of one end where both may hold the true one, and never where one is over before the other may come",
    { moment: Moment, early: Span, late: Span, otherEarly: Span, otherLate: Span },
    ({ early, late, moment, otherEarly, otherLate }) => {
      const a = end(iso(moment - early), early + late)
      assert.isTrue(isSameEnd(a, end(iso(moment - otherEarly), otherEarly + otherLate)))
      assert.isFalse(isSameEnd(a, end(iso((latestEnd(a) ?? 0) + 1 + otherEarly), otherLate)))
    }
  )

  it.prop(
    "of a span that counts down are of one end, whatever its unit and rounding",
    {
      moment: Moment,
      left: Span,
      passed: Span,
      unit: Schema.Literals([1_000, 60_000, 3_600_000]),
      rounding: Schema.Literals(["floor", "round", "ceil"])
    },
    ({ left, moment, passed, rounding, unit }) => {
      const word = { 1_000: "seconds", 60_000: "minutes", 3_600_000: "hours" }[unit]
      const told = (at: number) => resetTime(`try again in ${Math[rounding]((moment - at) / unit)} ${word}`, at, "UTC")
      const [first, second] = [told(moment - left), told(moment - Math.min(left, passed))]
      assert.isNotNull(first)
      assert.isNotNull(second)
      if (first !== null && second !== null) assert.isTrue(isSameEnd(first, second))
    }
  )
})
