import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { lastLine, type ByteLine, noLines, readLine, splitLines } from "../../../../src/domain/words/text/ByteLines.ts"

const all = (pieces: ReadonlyArray<Uint8Array>, limit?: number): ReadonlyArray<ByteLine> => {
  const lines: Array<ByteLine> = []
  let state = noLines
  for (const piece of pieces) {
    const [next, more] = splitLines(state, piece, limit)
    state = next
    lines.push(...more)
  }
  return [...lines, ...lastLine(state, limit)]
}
const cut = (bytes: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const at = [...new Set(cuts.map((it) => it % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, i) => bytes.slice(from, at[i] ?? bytes.length))
}
const encode = (text: string) => new TextEncoder().encode(text)
const texts = (lines: ReadonlyArray<ByteLine>) => lines.map((line) => (line._tag === "Line" ? line.text : line.size))

describe("lines of a stream", () => {
  it("one that is too long is passed over, with its length, and the next is read", () => {
    assert.deepStrictEqual(texts(all([encode("aaaaaa\nb\n")], 5)), [6, "b"])
    assert.deepStrictEqual(texts(all([encode("aaa"), encode("aaa"), encode("aaaa\nb")], 5)), [10, "b"])
    assert.deepStrictEqual(texts(all([encode("aaaaa\nb")], 5)), ["aaaaa", "b"])
    assert.deepStrictEqual(
      splitLines(noLines, encode("a".repeat(100)), 5)[0],
      { pieces: [], size: 100 },
      "nothing of it is kept"
    )
  })
  it.prop(
    "do not depend on where the stream is cut",
    {
      parts: Schema.Array(Schema.Literals(["a", "\n", "é", "日本", "🙂", "\r\n", "{}"])),
      cuts: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 })))
    },
    ({ cuts, parts }) => {
      const bytes = encode(parts.join(""))
      assert.deepStrictEqual(all(cut(bytes, cuts)), all([bytes]))
      assert.deepStrictEqual(all(cut(bytes, cuts), 4), all([bytes], 4))
    }
  )
})

describe("a line", () => {
  it.each<readonly [string, string, unknown]>([
    ["JSON", '{"a":1}', { a: 1 }],
    ["blank", " \r", null],
    ["no JSON", "npm warn deprecated", "npm warn deprecated"],
    ["JSON behind terminal sequences", '\u001b[?25l\u001b]0;title\u0007{"a":1}\r', { a: 1 }],
    ["a raw NUL in a string", '{"a":"x\u0000y"}', { a: "x\u0000y" }],
    ["a cut line", '{"a":', '{"a":'],
    ["a scalar", "7", 7]
  ])("%s", (_, text, value) => assert.deepStrictEqual(readLine(text), value))
})
