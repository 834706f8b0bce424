import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  clean,
  cleanLines,
  clip,
  clipStart,
  pad,
  shorten,
  shortenStart,
  width,
  wrap
} from "../../../../src/domain/surfaces/tui/Cells.ts"

/** The joiners of emoji of several code points: the only invisible characters that stay. */
const joiners = /(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic})/gu

const Text = Schema.Array(
  Schema.Literals([
    "a",
    "word ",
    "é",
    "e\u0301",
    "日本",
    "🎉",
    "👨\u200d👩",
    "❤\ufe0f",
    "\t",
    "\n",
    " ",
    "\x1b[31m",
    "\x07",
    "\u009b",
    "\u202e",
    "\ud800",
    "x".repeat(30)
  ])
)
const Cols = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))

describe("cells", () => {
  it("cleans: sequences go whole, controls and what has no shape go, breaks and tabs are blanks", () => {
    assert.strictEqual(clean("a\x1b[31mb\x1b]0;t\x07c\x1b]2;t\x1b\\d"), "abcd")
    assert.strictEqual(clean("a\tb\nc\u2028d\u00a0e"), "a b c d e")
    assert.strictEqual(clean("x\u202ey\u200bz\u009b31m\x7f"), "xyz")
    assert.strictEqual(clean("e\u0301 ❤\ufe0f 👨\u200d👩 \ud800"), "é ❤\ufe0f 👨\u200d👩 \ufffd")
    assert.strictEqual(clean("e\u202e\u0301"), "é")
    assert.deepStrictEqual(cleanLines("a\r\nb\rc\x1b[2Jd\n"), ["a", "b", "cd", ""])
  })

  it("measures, cuts and pads by columns", () => {
    assert.strictEqual(width("日本🎉e\u0300"), 7)
    assert.strictEqual(clip("日本", 3), "日")
    assert.strictEqual(clipStart("日本", 3), "本")
    assert.strictEqual(shorten("日本語", 5), "日本…")
    assert.strictEqual(shortenStart("~/日本語", 6), "…本語")
    assert.strictEqual(shorten("abc", 3), "abc")
    assert.strictEqual(shorten("abc", 0), "")
    assert.strictEqual(pad("日本", 4), "日本")
    assert.strictEqual(pad("日本", 3), "日…")
    assert.strictEqual(pad("a", 3), "a  ")
  })

  it("breaks between words, cuts what is longer than a row, leaves blank lines out, and marks what goes on", () => {
    assert.deepStrictEqual(wrap("one two\n\nthree", 7, 5), ["one two", "three"])
    assert.deepStrictEqual(wrap("one two three", 8, 5), ["one two", "three"])
    assert.deepStrictEqual(wrap("abcdefgh", 3, 5), ["abc", "def", "gh"])
    assert.deepStrictEqual(wrap("one two three", 5, 2), ["one", "two…"])
    assert.deepStrictEqual(wrap("one two", 3, 2), ["one", "two"])
    assert.deepStrictEqual(wrap("", 10, 3), [])
  })

  it.prop(
    "what is cut fits and is clean",
    { pieces: Text, cols: Cols },
    ({ cols, pieces }) => {
      const text = clean(pieces.join(""))
      assert.strictEqual(clean(text), text)
      assert.notMatch(text.replace(joiners, ""), /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
      for (const cut of [clip(text, cols), clipStart(text, cols), shorten(text, cols), shortenStart(text, cols)])
        assert.isAtMost(width(cut), cols)
      assert.isTrue(text.startsWith(clip(text, cols)) && text.endsWith(clipStart(text, cols)))
      assert.strictEqual(width(pad(text, cols)), cols)
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "rows fit, are no more than asked for, and lose nothing but blanks",
    { pieces: Text, cols: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 30 })) },
    ({ cols, pieces }) => {
      const text = pieces.join("")
      const rows = wrap(text, cols, 1000)
      for (const row of rows) assert.isAtMost(width(row), cols)
      assert.strictEqual(rows.join("").replace(/ /g, ""), cleanLines(text).join("").replace(/ /g, ""))
      assert.isAtMost(wrap(text, cols, 2).length, 2)
      for (const row of wrap(text, cols, 2)) assert.isAtMost(width(row), cols)
    },
    { arbitrary: { runs: 300 } }
  )
})
