import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { makeBacklog } from "../../../src/programs/host/ViewerFrames.ts"

const Step = Schema.Union([
  Schema.Struct({ add: Schema.Literals([0, 1, 5, 900, 4095, 4096, 20_000]) }),
  Schema.Struct({ take: Schema.Literals([1, 7, 5000, 64 << 10]) }),
  Schema.Struct({ move: Schema.Literal(true) })
])

describe("what waits for a viewer", () => {
  it.prop(
    "comes out as it came in, byte for byte, no more at a time than is asked for",
    [Schema.Array(Step)],
    ([script]) => {
      let backlog = makeBacklog()
      let expected = Buffer.alloc(0)
      let next = 0
      const seen: Array<Uint8Array> = []
      const given: Array<Uint8Array> = []
      for (const step of script) {
        if ("add" in step) {
          const piece = Uint8Array.from({ length: step.add }, () => next++)
          backlog.add(piece)
          expected = Buffer.concat([expected, piece])
        } else if ("take" in step) {
          const taken = backlog.take(step.take)
          assert.strictEqual(taken.length, Math.min(step.take, expected.length))
          assert.isTrue(Buffer.from(taken).equals(expected.subarray(0, taken.length)))
          seen.push(taken)
          given.push(Uint8Array.from(taken))
          expected = expected.subarray(taken.length)
        } else {
          const other = makeBacklog()
          backlog.moveTo(other)
          assert.strictEqual(backlog.size(), 0)
          backlog = other
        }
        assert.strictEqual(backlog.size(), expected.length)
      }
      assert.isTrue(Buffer.from(backlog.take(Infinity)).equals(expected))
      assert.deepStrictEqual(seen, given, "what was given out is not written over")
      backlog.add(Uint8Array.of(1))
      backlog.clear()
      assert.strictEqual(backlog.size(), 0)
    }
  )
})
