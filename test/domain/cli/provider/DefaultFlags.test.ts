import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { defaultFlags, flagsVariable } from "../../../../src/domain/cli/provider/DefaultFlags.ts"
import { splitWords } from "../../../../src/domain/words/text/splitWords.ts"

describe("default flags", () => {
  it.each([
    ["claude", "LEAP_CLAUDE_FLAGS"],
    ["cursor-agent", "LEAP_CURSOR_AGENT_FLAGS"],
    ["my_claude-2", "LEAP_MY_CLAUDE_2_FLAGS"]
  ])("of %s are in %s", (cli, name) => assert.strictEqual(flagsVariable(cli), name))

  it.each([
    ["", []],
    ["  --model opus\t-c\n", ["--model", "opus", "-c"]],
    ["--say 'two  words' x", ["--say", "two  words", "x"]],
    ["\"a \\\" b\" \\'c '' d\\ e", ['a " b', "'c", "", "d e"]],
    ['--x="$HOME" `id`', ["--x=$HOME", "`id`"]]
  ])("%s", (text, words) => assert.deepStrictEqual(Result.getOrThrow(splitWords(text)), words))

  it.each([
    { stored: null, variable: undefined, words: [], source: null },
    { stored: "--a 'b c'", variable: undefined, words: ["--a", "b c"], source: "settings" },
    { stored: "--a", variable: "-x y", words: ["-x", "y"], source: "environment" },
    { stored: "--a", variable: "", words: [], source: "environment" },
    { stored: "--a 'open", variable: "-x", words: ["-x"], source: "environment" }
  ])(
    "the environment replaces the settings, even with nothing: $stored, $variable",
    ({ source, stored, variable, words }) => {
      const read = defaultFlags("claude", stored, variable === undefined ? {} : { LEAP_CLAUDE_FLAGS: variable })
      assert.deepStrictEqual([read.words, read.source, read.warning], [words, source, null])
    }
  )

  it("what cannot be split is ignored, with a warning that names where it is from", () => {
    const variable = defaultFlags("claude", "--fine", { LEAP_CLAUDE_FLAGS: "--a 'b" })
    assert.deepStrictEqual(variable.words, [])
    assert.strictEqual(variable.warning, "ignored LEAP_CLAUDE_FLAGS: a ' is never closed")
    const stored = defaultFlags("my-claude", '--a "b', {})
    assert.deepStrictEqual(stored.words, [])
    assert.strictEqual(stored.warning, "ignored the flags of 'my-claude' in leap's settings: a \" is never closed")
  })

  it.prop("quoted words come back as they were", { words: Schema.Array(Schema.String) }, ({ words }) => {
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")
    assert.deepStrictEqual(Result.getOrThrow(splitWords(quoted)), words)
  })
})
