import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { longestLine, longLine, oneLine, printable } from "../../../../src/domain/words/text/printable.ts"
import { plainText } from "../../../../src/domain/surfaces/web/plainText.ts"
import { clean } from "../../../../src/domain/surfaces/tui/Cells.ts"

/** What would let a text read otherwise than what is in it, by Unicode's own property; and what hides in it. */
const reorders = /\p{Bidi_Control}/u
const hides = /[\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb]/
// oxlint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

const Text = Schema.Array(
  Schema.Union([
    Schema.String,
    Schema.Literals([
      "👩\u200d💻",
      "می\u200cخواهم",
      "\u202e",
      "\u2066",
      "\u200b",
      "\ufeff",
      "\u061c",
      "\x1b[31m",
      "\x9b5m",
      "\n",
      "\t"
    ])
  ])
)

describe("foreign text", () => {
  it.prop(
    "is printed without what a terminal obeys, and what hides or reorders it, wherever it is shown",
    { pieces: Text },
    ({ pieces }) => {
      const text = pieces.join("")
      for (const shown of [printable(text), oneLine(text), longLine(text), plainText(text, 1000), clean(text)])
        for (const bad of [obeyed, reorders, hides]) assert.notMatch(shown, bad)
    }
  )

  it("keeps its lines, its joined emoji, and the joiners of scripts", () => {
    assert.strictEqual(printable("a\tb\nc\u202edlrow\u202c"), "a\tb\ncdlrow")
    for (const text of ["👩\u200d💻 🏳\ufe0f\u200d🌈 👍🏽", "می\u200cخواهم"]) {
      assert.strictEqual(printable(text), text)
      assert.strictEqual(oneLine(text), text)
      assert.strictEqual(plainText(text, 1000), text)
    }
  })

  it("is cut between what is joined", () => {
    assert.strictEqual(oneLine("ab👩\u200d💻cd", 5), "ab👩…")
  })

  it("of any length has a line that can be read", () => {
    const line = longLine("word ".repeat(20_000))
    assert.isBelow(line.length, longestLine + 60)
    assert.match(line, /… \(99999 characters; --json has all\)$/)
    assert.strictEqual(longLine("x".repeat(longestLine)), "x".repeat(longestLine))
  })
})
