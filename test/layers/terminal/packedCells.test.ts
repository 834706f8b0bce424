import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { pack, unpack } from "../../../src/layers/terminal/packedCells.ts"

const blank = 0x40_0000
const Word = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff_ffff }))
/** Characters as xterm keeps them: narrow, wide with its second half, combined, and any. */
const Character = Schema.Union([
  Schema.Literals([blank, blank | 65, blank | 65, blank | 0x2500, 0x80_65e5, 0, 0x60_0003]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xff_ffff }))
])
const Attributes = Schema.Union([Schema.Literals([0, 0, 0x100_0002, 0xffff_ffff]), Word])
const Run = Schema.Tuple([Schema.Array(Character), Attributes, Attributes, Schema.Literals([1, 1, 2, 200])])

const wordsOf = (runs: ReadonlyArray<typeof Run.Type>): Uint32Array =>
  Uint32Array.from(
    runs.flatMap(([characters, fg, bg, times]) =>
      characters.flatMap((character) => Array.from({ length: times }, () => [character, fg, bg]).flat())
    )
  )
const unpacked = (text: string, cells: number): Uint32Array => {
  // over what was there before
  const words = new Uint32Array(cells * 3).fill(7)
  unpack(text, words)
  return words
}

describe("packed cells", () => {
  it.prop(
    "are the same again",
    { runs: Schema.Array(Run) },
    ({ runs }) => {
      const words = wordsOf(runs)
      assert.deepStrictEqual(unpacked(pack(words), words.length / 3), words)
    },
    { arbitrary: { runs: 1000 } }
  )

  it("take a byte for each character of plain text, and nothing for what is blank behind it", () => {
    const text = Array.from("plain text", (char) => [blank | char.charCodeAt(0), 0, 0]).flat()
    const row = Uint32Array.from([...text, ...Array.from({ length: 90 }, () => [blank, 0, 0]).flat()])
    assert.strictEqual(pack(row).length, 1 + 10)
    assert.strictEqual(pack(new Uint32Array(300).map((_, i) => (i % 3 === 0 ? blank : 0))), "")
    const line = wordsOf([[[blank | 0x2500], 0x100_0002, 0, 200]])
    assert.isAtMost(pack(line).length, 10, "a line that is drawn is one run")
  })
})
