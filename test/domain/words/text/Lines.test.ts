import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Lines from "../../../../src/domain/words/text/Lines.ts"

/** What becomes of a text that comes in these pieces. */
const cut = (pieces: ReadonlyArray<string>, limit = 1000) => {
  const split = Lines.split(limit)
  const lines: Array<string> = []
  let unended = Lines.start
  for (const piece of pieces) {
    const next = split(unended, piece)
    lines.push(...next.lines)
    if (next.tooLong) return { lines, rest: "", tooLong: true }
    unended = next.unended
  }
  return { lines, rest: unended.text, tooLong: false }
}

describe("lines", () => {
  it.each<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>, string]>([
    ["end with a line feed", ["a\nb\n"], ["a", "b"], ""],
    ["end with a carriage return", ["a\rb\r"], ["a", "b"], ""],
    ["end with both", ["a\r\n\r\nb\r\n"], ["a", "", "b"], ""],
    ["end with both, which come apart", ["a\r", "\nb", "\r", "", "\n"], ["a", "b"], ""],
    ["end at once: a line feed may not follow", ["a\r"], ["a"], ""],
    ["begin in one piece and end in another", ["a", "b", "c\nd"], ["abc"], "d"],
    ["are empty between two ends", ["\n\n", "\n"], ["", "", ""], ""]
  ])("%s", (_, pieces, lines, rest) => {
    assert.deepStrictEqual(cut(pieces), { lines, rest, tooLong: false })
  })

  it("are no longer than they may be", () => {
    assert.deepStrictEqual(cut(["1234\n12345\n", "123"], 5), { lines: ["1234", "12345"], rest: "123", tooLong: false })
    assert.deepStrictEqual(cut(["12\n123456\nnever\n"], 5), { lines: ["12"], rest: "", tooLong: true })
    assert.deepStrictEqual(
      cut(["12\n123", "456"], 5),
      { lines: ["12"], rest: "", tooLong: true },
      "before it has ended"
    )
  })

  it.prop(
    "are the same wherever the text is cut",
    {
      text: Schema.Array(Schema.Literals(["a", "b", "\n", "\r", "\r\n", "x\ny"])),
      size: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
    },
    ({ size, text }) => {
      const whole = text.join("")
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        whole.slice(i * size, (i + 1) * size)
      )
      const expected = whole.split(/\r\n|\r|\n/)
      assert.deepStrictEqual(cut(pieces), { lines: expected.slice(0, -1), rest: expected.at(-1) ?? "", tooLong: false })
    }
  )
})
