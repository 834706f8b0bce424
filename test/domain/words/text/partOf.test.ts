import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { partOf } from "../../../../src/domain/words/text/partOf.ts"

describe("a part of a text", () => {
  it.each<[string, number, number, string, number, number | null]>([
    ["abcdef", 0, 4, "abcd", 0, 4],
    ["abcdef", 4, 4, "ef", 4, null],
    ["abcdef", 9, 4, "", 6, null],
    ["", 0, 4, "", 0, null],
    ["ab😀cd", 0, 3, "ab", 0, 2],
    ["ab😀cd", 3, 3, "😀c", 2, 5]
  ])("%s from %i, at most %i", (text, from, most, part, offset, next) => {
    assert.deepStrictEqual(partOf(text, from, most), { text: part, offset, total: text.length, next })
  })

  it.prop(
    "is the whole, part after part, each of whole characters",
    {
      parts: Schema.Array(Schema.Literals(["a", "é", "日本", "🙂", "\n"])),
      most: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 9 }))
    },
    ({ most, parts }) => {
      let read = ""
      for (let at: number | null = 0; at !== null;) {
        const part = partOf(parts.join(""), at, most)
        assert.isTrue(part.text.length <= most && part.text.isWellFormed())
        read += part.text
        at = part.next
      }
      assert.strictEqual(read, parts.join(""))
    }
  )
})
