import { assert, describe, it } from "@effect/vitest"
import xterm from "@xterm/headless"
import { Effect, Schema } from "effect"
import { charWidth } from "../../src/domain/words/text/CharWidth.ts"
import { cellsOf, clean, clip, width, wrap } from "../../src/demoCli/cells.ts"
import { live } from "../support/run/effects.ts"

/** Cells that the emulator gives to each character: where a mark behind it lands. */
const emulated = (chars: ReadonlyArray<string>) =>
  Effect.callback<ReadonlyArray<number>>((resume) => {
    const term = new xterm.Terminal({ cols: 6, rows: chars.length + 1, allowProposedApi: true })
    term.write(chars.map((char) => `.${char}|`).join("\r\n"), () => {
      const buffer = term.buffer.active
      resume(
        Effect.succeed(
          chars.map((_, y) => [1, 2, 3].findIndex((x) => buffer.getLine(y)?.getCell(x)?.getChars() === "|"))
        )
      )
      term.dispose()
    })
  })

const characters = Array.from({ length: 0x10000 }, (_, i) => i)
  .concat(
    Array.from({ length: 0xa000 }, (_, i) => 0x16000 + i),
    [0x20000, 0x2fffd, 0x30000]
  )
  .filter((code) => code >= 0x20 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((char) => char !== "|" && clean(char) === char)

describe("cells", () => {
  live("no character is taken for narrower than the emulator makes it", function* () {
    const cells: Array<number> = []
    for (let i = 0; i < characters.length; i += 2000) cells.push(...(yield* emulated(characters.slice(i, i + 2000))))
    assert.notInclude(cells, -1)
    const short = characters.filter((char, i) => cellsOf(char) < (cells[i] ?? 9))
    assert.deepStrictEqual(short, [])
  })

  it("nor than leap's own emulator makes it", () => {
    const widthOf = charWidth
    assert.deepStrictEqual(
      characters.filter((char) => cellsOf(char) < widthOf(char.codePointAt(0) ?? 0)),
      []
    )
  })

  it("a text has the cells of its characters, and is clipped by them", () => {
    assert.deepStrictEqual(
      characters.filter((char) => width(`a${char}b`) !== 2 + cellsOf(char)),
      []
    )
    assert.deepStrictEqual(
      characters.filter((char) => clip(`a${char}${char}`, 2) !== ["a" + char + char, "a" + char, "a"][cellsOf(char)]),
      []
    )
  })

  it.prop(
    "wrapped rows fit and lose nothing but spaces at their ends",
    {
      text: Schema.String,
      cols: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 40 }))
    },
    ({ cols, text }) => {
      const line = clean(text)
      const rows = wrap(line, cols)
      assert.isTrue(rows.every((row) => width(row) <= cols))
      assert.strictEqual(rows.join("").replaceAll(" ", ""), line.replaceAll(" ", ""))
    }
  )

  it("breaks between words, and within one that is too long", () => {
    assert.deepStrictEqual(wrap("one two three", 7), ["one two", "three"])
    assert.deepStrictEqual(wrap("a verylongword", 4), ["a", "very", "long", "word"])
    assert.deepStrictEqual(wrap("漢字漢字", 5), ["漢字", "漢字"])
  })

  it("never cuts a wide character in half", () => {
    assert.strictEqual(clip("a漢字", 2), "a")
    assert.strictEqual(clip("a漢字", 3), "a漢")
  })

  it("leaves nothing that a terminal would obey", () => {
    assert.strictEqual(clean("a\x1b[31mb\u202ec\x07\u0085d\te"), "a[31mbcd  e")
  })
})
