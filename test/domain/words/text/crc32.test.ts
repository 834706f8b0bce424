import { assert, describe, it } from "@effect/vitest"
import { crc32 } from "../../../../src/domain/words/text/crc32.ts"

describe("crc32", () => {
  it("is the one that everybody means", () => {
    const sums = ["", "123456789", "The quick brown fox jumps over the lazy dog"].map((text) =>
      crc32(new TextEncoder().encode(text))
    )
    assert.deepStrictEqual(sums, ["00000000", "cbf43926", "414fa339"])
  })
})
