import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { append, noOutput, textOf } from "../../../../src/domain/cli/headless/OutputTail.ts"

const Sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 })))

describe("the tail of an output", () => {
  it.prop("has the last bytes, and no piece more than it needs", { sizes: Sizes }, ({ sizes }) => {
    const length = 100
    const whole = "0123456789".repeat(10_000)
    let from = 0
    let tail = noOutput
    for (const size of sizes) {
      tail = append(tail, new TextEncoder().encode(whole.slice(from, from + size)), length)
      from += size
      const text = textOf(tail)
      assert.strictEqual(text.length, tail.size)
      assert.isTrue(whole.slice(0, from).endsWith(text))
      assert.isAtLeast(text.length, Math.min(from, length))
      assert.isBelow(text.length - (tail.pieces[0]?.length ?? 0), length)
    }
  })
  it("joins characters that were cut", () => {
    const bytes = new TextEncoder().encode("é🎉")
    assert.strictEqual(textOf(append(append(noOutput, bytes.subarray(0, 3), 100), bytes.subarray(3), 100)), "é🎉")
  })
})
