import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { makeWidths } from "../../src/domain/CharWidth.ts"

const width = makeWidths()
const of = (char: string) => width(char.codePointAt(0)!)

describe("CharWidth", () => {
  it("knows narrow, wide and invisible characters", () => {
    for (const char of "aZ~é│❯✔⏺…⠋→ß") assert.strictEqual(of(char), 1, char)
    for (const char of "日本あ한、！🎉✅⏳🤖㌀𠀀") assert.strictEqual(of(char), 2, char)
    for (const char of ["\u0301", "\u200d", "\ufe0f", "\u200b", "\u20e3", "\u0000", "\u001b", "\u007f", "\u009f"]) {
      assert.strictEqual(of(char), 0, char.codePointAt(0)!.toString(16))
    }
    // two indicators make one flag of two columns
    assert.strictEqual(of("🇩"), 1)
    assert.strictEqual(of("\u00ad"), 1)
  })

  it.prop("is total, and the same when asked again", { code: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0x110000 })) }, ({ code }) => {
    const first = width(code)
    assert.isTrue(first === 0 || first === 1 || first === 2)
    assert.strictEqual(width(code), first)
  })
})
