import { assert, describe, it } from "@effect/vitest"
import type { TuiKey } from "../../../../src/domain/surfaces/tui/Keys.ts"
import { edit, queryLimit } from "../../../../src/domain/surfaces/picker/Query.ts"

describe("a text that is edited at its end", () => {
  it.each<readonly [string, TuiKey, string | null]>([
    ["a", { key: "text", text: "b c" }, "ab c"],
    ["a", { key: "paste", text: " one\n\ttwo\n" }, "aone two"],
    ["", { key: "paste", text: "\u202ex\u200b\x9by" }, "x"],
    ["abe\u0301", { key: "backspace" }, "ab"],
    ["a👩🏽‍🚀", { key: "backspace" }, "a"],
    ["", { key: "backspace" }, ""],
    ["one two  ", { key: "delete-word" }, "one "],
    ["one ", { key: "delete-word" }, ""],
    ["one two", { key: "clear" }, ""],
    ["one", { key: "up" }, null],
    ["one", { key: "enter" }, null]
  ])("%j and %j make %j", (text, key, expected) => assert.strictEqual(edit(text, key), expected))

  it("takes so many characters and no more, none of them cut", () => {
    assert.strictEqual(
      edit("🎉".repeat(queryLimit - 1), { key: "text", text: "🚀🚀" }),
      `${"🎉".repeat(queryLimit - 1)}🚀`
    )
  })
})
