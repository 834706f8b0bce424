import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { percentOf } from "../../../../src/domain/cli/usage/Usage.ts"

const upTo = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("a percentage", () => {
  it.each([
    ["half", 100_000, 200_000, 50],
    ["a quarter", 50_000, 200_000, 25],
    ["more than all", 300_000, 200_000, 100],
    ["nothing", 0, 200_000, 0],
    ["of no window", 5, 0, 0],
    ["of a window below nothing", 5, -1, 0],
    ["of less than nothing", -5, 100, 0],
    ["of no number", Number.NaN, 100, 0]
  ])("%s", (_, used, window, percent) => assert.strictEqual(percentOf(used, window), percent))

  it("is unknown where the window is", () => assert.isNull(percentOf(5, null)))

  it.each([
    [125, 12],
    [135, 14],
    [5, 0],
    [15, 2],
    [995, 100],
    [124, 12],
    [126, 13]
  ])("%i of 1000 is %i %%", (used, percent) => assert.strictEqual(percentOf(used, 1000), percent))

  it.prop(
    "lies between 0 and 100, is whole, and is at most half a per cent off",
    { used: upTo(0, 3_000_000), window: upTo(1, 2_000_000) },
    ({ used, window }) => {
      const percent = percentOf(used, window) ?? -1
      assert.isTrue(Number.isInteger(percent) && percent >= 0 && percent <= 100)
      assert.isAtMost(Math.abs(percent - Math.min(100, (100 * used) / window)), 0.5 + 1e-9)
    }
  )
})
