import { assert, describe, it } from "@effect/vitest"
import { naturalOrder } from "../../../../src/domain/words/text/naturalOrder.ts"
import { Tag } from "../../../../src/domain/words/session/Tag.ts"

describe("the natural order of names", () => {
  it("takes numbers by their value, and letters whatever their case", () => {
    const names = ["many-2", "many-10", "many-1", "Many-3", "b", "a10", "a9b", "a9", "9", "010", "10"]
    assert.deepStrictEqual(names.toSorted(naturalOrder), [
      "9",
      "010",
      "10",
      "a9",
      "a9b",
      "a10",
      "b",
      "many-1",
      "many-2",
      "Many-3",
      "many-10"
    ])
  })
  it.prop(
    "is an order: two names are equal only where they are the same, and it is the same both ways",
    [Tag, Tag, Tag],
    ([a, b, c]) => {
      assert.strictEqual(naturalOrder(a, b) === 0, a === b)
      assert.strictEqual(Math.sign(naturalOrder(a, b)), -Math.sign(naturalOrder(b, a)))
      if (naturalOrder(a, b) < 0 && naturalOrder(b, c) < 0) assert.isBelow(naturalOrder(a, c), 0)
    }
  )
})
