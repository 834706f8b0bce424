import { assert, describe, it } from "@effect/vitest"
import xterm from "@xterm/headless"
import { Schema } from "effect"
import {
  charactersOf,
  charProperties,
  charWidth,
  fittingLength,
  joins,
  propertiesOf,
  textWidth
} from "../../../../src/domain/words/text/CharWidth.ts"
import { graphemesIn } from "../../../../src/domain/words/text/graphemes.ts"

const width = charWidth
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

  /** All that Unicode recommends as one emoji, of these parts: V8's table is the witness. */
  const emojis = ((): ReadonlyArray<string> => {
    const isEmoji = new RegExp("^\\p{RGI_Emoji}$", "v")
    const all = Array.from({ length: 0x1fb00 - 0x80 }, (_, i) => String.fromCodePoint(i + 0x80))
    const single = all.filter((char) => /^\p{Emoji}$/u.test(char))
    const based = single.filter((char) => /^\p{Emoji_Modifier_Base}$/u.test(char))
    const tones = [..."🏻🏼🏽🏾🏿"]
    const indicators = Array.from({ length: 26 }, (_, i) => String.fromCodePoint(0x1f1e6 + i))
    const people = ["👩", "👨", "🧑", ...tones.map((tone) => `👩${tone}`)]
    const roles = [
      ..."💻🚀🎨🦰🦽",
      "⚕\ufe0f",
      "✈\ufe0f",
      "❤\ufe0f\u200d👨",
      "❤\ufe0f\u200d💋\u200d👨",
      "👩\u200d👧\u200d👦"
    ]
    const tagged = (letters: string): string =>
      `🏴${[...letters].map((it) => String.fromCodePoint(0xe0000 + it.charCodeAt(0))).join("")}\u{e007f}`
    return [
      ...single.flatMap((char) => [char, `${char}\ufe0f`]),
      ...based.flatMap((char) => tones.flatMap((tone) => [char + tone, `${char}${tone}\u200d♂\ufe0f`])),
      ...indicators.flatMap((one) => indicators.map((other) => one + other)),
      ...people.flatMap((one) => roles.map((role) => `${one}\u200d${role}`)),
      ...[..."0123456789#*"].map((char) => `${char}\ufe0f\u20e3`),
      ...["gbeng", "gbsct", "gbwls"].map(tagged),
      "🏳\ufe0f\u200d🌈",
      "🏴\u200d☠\ufe0f",
      "👁\ufe0f\u200d🗨\ufe0f",
      "❤\ufe0f\u200d🔥",
      "🐈\u200d⬛"
    ].filter((text) => isEmoji.test(text))
  })()

  it("draws each emoji of several code points as one character of two columns", () => {
    assert.isAtLeast(emojis.length, 2500)
    for (const emoji of emojis)
      assert.deepStrictEqual(charactersOf(emoji), [{ text: emoji, width: 2 }], JSON.stringify(emoji))
    assert.strictEqual(textWidth("👍🏽 ok 👩\u200d💻, 🇩🇪🇫🇷 1\ufe0f\u20e3"), 17)
  })

  it("joins what does not belong together no more than people would", () => {
    for (const [text, columns] of [
      ["🇩🇪🇫", 3],
      ["a🏽", 3],
      ["日🏽", 4],
      ["👩💻", 4],
      ["a\u200d💻", 3],
      ["a\ufe0f", 1],
      ["1\ufe0f", 2],
      ["12", 2],
      ["e\u0301x", 2],
      ["한글", 4],
      ["❤", 1]
    ] as const)
      assert.strictEqual(textWidth(text), columns, text)
  })

  const Text = Schema.Array(
    Schema.Union([
      Schema.Literals(emojis.filter((_, i) => i % 50 === 0)),
      Schema.Literals(["a", "1", "é", "e\u0301", "日", "한", "\u200d", "\ufe0f", "🏽", "🇩", "❤", " "])
    ])
  )

  // Unicode's own: \p{Extended_Pictographic} Extend* ZWJ × \p{Extended_Pictographic}
  it.each([
    ["\u{1f935}\u{1f3fd}\u200d\u2642\ufe0f\u200d\u{1f3fd}", 1],
    ["🤽🏻\u200d\u200d🏽", 1],
    ["🤞🏻\u200d\ufe0f🏽", 1],
    ["🤞🏻\u200d\u0301🏽\u0301", 1],
    ["👩\u200d\u200d💻", 2],
    ["👩\u200d🏽\u200d💻", 2]
  ])(
    "a skin tone belongs to an emoji behind all that extends one, another emoji behind a joiner alone: %j",
    (text, n) => assert.deepStrictEqual([charactersOf(text).length, [...graphemesIn(text)].length], [n, n])
  )

  it.prop("joins nothing that Unicode has apart, and keeps emoji whole", { pieces: Text }, ({ pieces }) => {
    const text = pieces.join("")
    let at = 0
    const begins = new Set(charactersOf(text).map(({ text }) => (at += text.length) - text.length))
    // the start of a text has nothing to join
    for (const { index, segment } of graphemesIn(text)) {
      assert.isTrue(begins.has(index), JSON.stringify([text, segment]))
      // a skin tone behind a letter is drawn as a square of its own
      if (/^\p{Extended_Pictographic}|^\p{RI}{2}$/u.test(segment))
        assert.isFalse(
          [...begins].some((begin) => begin > index && begin < index + segment.length),
          segment
        )
    }
  })

  it.prop(
    "cuts between characters, and what it measures is what it cuts",
    { pieces: Text, columns: Schema.Int },
    ({ columns, pieces }) => {
      const text = pieces.join("")
      const most = Math.abs(columns % 40)
      const head = text.slice(0, fittingLength(text, most))
      assert.isAtMost(textWidth(head), most)
      assert.isTrue(
        charactersOf(text)
          .map((it) => it.text)
          .join("")
          .startsWith(head)
      )
      assert.strictEqual(
        textWidth(text),
        charactersOf(text).reduce((sum, it) => sum + it.width, 0)
      )
      const rest = charactersOf(text.slice(head.length))[0]
      if (rest !== undefined) assert.isAbove(textWidth(head) + rest.width, most)
    }
  )

  it("lets no character grow for ever", () => {
    const flood = `e${"\u0301".repeat(100_000)}`
    assert.isAtMost(Math.max(...charactersOf(flood).map(({ text }) => text.length)), 64)
    assert.isFalse(joins(charProperties(0x301, propertiesOf(`e${"\u0301".repeat(63)}`))))
  })
})
