import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { loadingLimits, retryIn, retryLimits } from "../../../../../src/domain/cli/headless/http/HttpAttempt.ts"

describe("a retry", () => {
  const failures = { count: 1, waited: 0, retryAfter: null, left: null, random: 0.5 }
  it.each<readonly [string, Partial<Parameters<typeof retryIn>[0]>, number | null]>([
    ["waits up to half a second first", {}, 250],
    ["then up to twice as long", { count: 2 }, 500],
    ["and again", { count: 4 }, 2_000],
    ["the server's wish comes first", { retryAfter: 60_000 }, 60_000],
    ["also when it is none", { retryAfter: 0 }, 0],
    ["four times are enough", { count: 5 }, null],
    ["so long in all is enough", { waited: 119_000, retryAfter: 1_001 }, null],
    ["a wish beyond that is none", { retryAfter: 120_001 }, null],
    ["nor one beyond the caller's time", { retryAfter: 5_000, left: 5_000 }, null],
    ["within it is one", { retryAfter: 5_000, left: 5_001 }, 5_000]
  ])("%s", (_, more, wait) => assert.strictEqual(retryIn({ ...failures, ...more }), wait))

  it("of a server that comes up is not counted, and never made at once", () => {
    assert.strictEqual(retryIn({ ...failures, count: 50 }, loadingLimits), 2_000)
    assert.strictEqual(retryIn({ ...failures, random: 0 }, loadingLimits), 500)
    assert.isNull(retryIn({ ...failures, count: 50, waited: 119_000 }, loadingLimits))
  })

  it.prop(
    "never waits longer than it may",
    {
      count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })),
      random: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.999 }))
    },
    ({ count, random }) => {
      const limits = { ...retryLimits, maxRetries: 100 }
      const wait = retryIn({ ...failures, count, random }, limits)
      assert.isTrue(wait !== null && wait >= 0 && wait <= limits.maxWait && wait <= limits.firstWait * 2 ** (count - 1))
    }
  )
})
