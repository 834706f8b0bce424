import { assert, describe, it } from "@effect/vitest"
import xterm from "@xterm/headless"
import { Schema } from "effect"
import { makeWidths } from "../../../src/domain/text/CharWidth.ts"

const width = makeWidths()
const of = (char: string) => width(char.codePointAt(0)!)

/** xterm's own table, which it does not hand out. It knows the characters of Unicode 6. */
const xtermWidth = (() => {
  const terminal = new xterm.Terminal({ allowProposedApi: true })
  const { _core: core } = terminal as unknown as {
    readonly _core: { readonly unicodeService: { readonly wcwidth: (code: number) => number } }
  }
  return (code: number): number => core.unicodeService.wcwidth(code)
})()

/** Assigned after Unicode 6, or given another width since: terminals of today draw these as leap measures them. */
const sinceUnicode6 = {
  mark: /^[\p{Mn}\p{Me}\p{Cf}\ud7b0-\ud7ff]$/u,
  wide: new RegExp(
    "^[\\p{Emoji_Presentation}\\u2630-\\u2637\\u268a-\\u268f\\ua960-\\ua97c" +
      "\\u{16fe0}-\\u{1b2ff}\\u{1d300}-\\u{1d376}\\u{1f100}-\\u{1faff}]$",
    "u"
  ),
  // unassigned, or circled numbers of ambiguous width, or no marks any more
  narrow: /^(?:[\p{Cn}\u3248-\u324f]|\u06de|\u1734)$/u,
  // spacing marks of an East Asian script
  spacing: /^(?:\u302e|\u302f)$/
}

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

  it("agrees with xterm on every character that has not changed since xterm's table was made", () => {
    const differ: Array<string> = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const char = String.fromCodePoint(code)
      const ours = width(code)
      const theirs = xtermWidth(code)
      if (ours === theirs) continue
      const explained =
        theirs === 1 && ours === 0
          ? sinceUnicode6.mark
          : theirs === 1 && ours === 2
            ? sinceUnicode6.wide
            : ours === 1
              ? sinceUnicode6.narrow
              : sinceUnicode6.spacing
      if (!explained.test(char)) differ.push(`${code.toString(16)}: ${ours}, xterm ${theirs}`)
    }
    assert.deepStrictEqual(differ, [])
  })

  it("draws everything that is shown as an emoji in two columns, flags in two halves", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      if (!/^\p{Emoji_Presentation}$/u.test(String.fromCodePoint(code))) continue
      assert.strictEqual(width(code), code >= 0x1f1e6 && code <= 0x1f1ff ? 1 : 2, code.toString(16))
    }
  })

  it.prop(
    "is total, and the same when asked again",
    { code: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0x110000 })) },
    ({ code }) => {
      const first = width(code)
      assert.isTrue(first === 0 || first === 1 || first === 2)
      assert.strictEqual(width(code), first)
    }
  )
})
