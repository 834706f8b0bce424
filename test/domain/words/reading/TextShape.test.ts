import { assert, describe, it } from "@effect/vitest"
import { textShape } from "../../../../src/domain/words/reading/TextShape.ts"

describe("texts that look the same in a box", () => {
  it.each([
    ["a family 👩‍👩‍👧‍👦 of four", "a family 👩‍ of four"],
    ["a hand 👍🏽, a heart ❤️", "a hand 👍, a heart ❤"],
    ["cafe\u0301, tab\there, two  spaces", "caf\u00e9, tab    here, two spaces"],
    ["one line\nand another", "one line\n  and another"],
    ["नमस्ते", "नमस्ते"],
    ["a bare vowel \u1161 of Hangul", "a bare vowel  of Hangul"],
    ["from \u202eright to left\u202c", "from \ufffdright to left\ufffd"],
    ["မြန်မာ ဘာသာ", "မနမ ဘသ"]
  ])("%s", (typed, shown) => assert.strictEqual(textShape(shown), textShape(typed)))
})

describe("texts that do not", () => {
  it.each([
    ["yes", "yes!"],
    ["", "x"],
    ["👩 and 👦", "👩"],
    ["🇩🇪", "🇫🇷"],
    ["日本", "日"],
    ["e", "f"],
    ["🏽", "🏿"],
    ["\u0301", ""],
    ["กำ", "กา"]
  ])("%s and %s", (a, b) => assert.notStrictEqual(textShape(a), textShape(b)))
})
