import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { columnsOf } from "../../../../src/domain/words/text/columns.ts"
import { wrapWords } from "../../../../src/domain/words/text/wrapWords.ts"

const text = Schema.Array(Schema.Literals(["a", "word", "wörter", "漢字", "`leap send`", "`", "–", "(`a b c`),"]))

describe("a text in lines", () => {
  it.prop(
    "loses no word, has none of its lines longer than it may be, and none that could be longer",
    [text, Schema.Int],
    ([words, n]) => {
      const columns = 12 + (Math.abs(n) % 30)
      const lines = wrapWords(words.join(" "), columns)
      assert.strictEqual(lines.join(" "), words.join(" "))
      for (const line of lines) assert.isAtMost(columnsOf(line), columns)
      for (const [i, line] of lines.slice(1).entries()) {
        const next = /^(?:`[^`]*`|[^\s`]|`)+/.exec(line)?.[0] ?? ""
        assert.isAbove(columnsOf(`${lines[i]} ${next}`), columns)
      }
    }
  )

  it.each([
    ["", 10, [""]],
    ["a  b\n c", 10, ["a b c"]],
    ["see https://example.invalid/long now", 10, ["see", "https://example.invalid/long", "now"]],
    ["type `leap send w` now", 12, ["type `leap", "send w` now"]],
    ["type `leap send w` now", 16, ["type", "`leap send w`", "now"]]
  ] as const)("%j in %d columns", (text, columns, lines) => assert.deepStrictEqual(wrapWords(text, columns), lines))
})
