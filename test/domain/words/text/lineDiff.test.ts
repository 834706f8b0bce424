import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { lineDiff, linesOf } from "../../../../src/domain/words/text/lineDiff.ts"

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `line ${n + from}`)

describe("the difference of two texts by lines", () => {
  it.each<readonly [string, string, string, ReadonlyArray<string>]>([
    ["a line put in", "a\nb", "a\nx\nb", [" a", "+x", " b"]],
    ["a line taken out", "a\nb\nc\n", "a\nc\n", [" a", "-b", " c"]],
    ["two places", "a\nb\nc\nd\ne", "A\nb\nc\nd\nE", ["-a", "+A", " b", " c", " d", "-e", "+E"]],
    ["nothing before", "", "a\n\nb\n", ["+a", "+", "+b"]],
    ["nothing after", "a\n", "", ["-a"]],
    ["the end of a line", "a\r\nb", "a\nb", ["-a\r", "+a", " b"]],
    ["nothing", "a\nb", "a\nb", ["@"]]
  ])("%s", (_, before, after, lines) => {
    assert.deepStrictEqual(lineDiff(before, after), lines)
  })

  it("leaves out what is far from all changes", () => {
    const before = numbered(30)
    const lines = lineDiff(before.join("\n"), before.with(9, "ten").with(25, "twenty-six").join("\n"))
    assert.deepStrictEqual(lines.slice(0, 9), [
      "@",
      " line 7",
      " line 8",
      " line 9",
      "-line 10",
      "+ten",
      " line 11",
      " line 12",
      " line 13"
    ])
    assert.strictEqual(lines.filter((line) => line === "@").length, 3)
  })

  it("takes all lines for changed where finding the common ones would take long", () => {
    const [before, after] = [numbered(600).toReversed(), numbered(600, 301)]
    assert.strictEqual(lineDiff(before.join("\n"), after.join("\n")).length, 1_200)
  })

  const words = Schema.Array(Schema.Literals(["a", "b", "c", ""])).check(Schema.isMaxLength(12))
  it.prop("has both texts in it, but for what it leaves out", [words, words], ([one, other]) => {
    const [before, after] = [one.join("\n"), other.join("\n")]
    const lines = lineDiff(before, after)
    if (lines.includes("@")) return
    const side = (signs: string) => lines.flatMap((line) => (signs.includes(line[0]!) ? [line.slice(1)] : []))
    assert.deepStrictEqual(side(" -"), linesOf(before))
    assert.deepStrictEqual(side(" +"), linesOf(after))
  })
})
