import { assert, describe, it } from "@effect/vitest"
import { gapBefore, momentsAt } from "../../../../src/domain/engine/delivery/Waits.ts"

describe("a gap, in which the session could not be looked at", () => {
  it.each([
    [10_000, 4_000, 10_000, null],
    [14_999, 4_000, 10_000, null],
    [15_000, 4_000, 10_000, { from: 4_000, until: 15_000 }],
    [9_000, 4_000, 10_000, null],
    [99_000, 4_000, null, null]
  ] as const)(
    "is before a step that comes five seconds late: at %i, after %i, asked for %s",
    (now, from, asked, gap) => {
      assert.deepStrictEqual(gapBefore(now, from, asked), gap)
    }
  )

  const gap = { from: 4_000, until: 60_000 }
  it.each([
    // moment, now, whether it has passed, when it does
    [3_999, 60_000, true, null],
    [4_000, 60_000, true, null],
    [4_001, 60_000, false, 63_000],
    [60_000, 60_000, false, 63_000],
    [60_000, 62_999, false, 63_000],
    [4_001, 63_000, true, null],
    [60_001, 60_000, false, 60_001],
    [60_001, 60_001, true, null]
  ] as const)("puts off the moments that fell into it, and no other: %i at %i", (moment, now, passed, next) => {
    const moments = momentsAt(now, gap)
    assert.strictEqual(moments.passed(moment), passed)
    assert.strictEqual(moments.next(), next)
  })
})
