import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { defaultFlags, flagsVariable, splitWords } from "../../src/domain/DefaultFlags.ts"

describe("default flags", () => {
  it.each([
    ["claude", "LEAP_CLAUDE_FLAGS"],
    ["cursor-agent", "LEAP_CURSOR_AGENT_FLAGS"]
  ])("of %s are in %s", (cli, name) => assert.strictEqual(flagsVariable(cli), name))

  it.each([
    ["", []],
    ["  --model opus\t-c\n", ["--model", "opus", "-c"]],
    ["--say 'two  words' x", ["--say", "two  words", "x"]],
    ["\"a \\\" b\" \\'c '' d\\ e", ["a \" b", "'c", "", "d e"]],
    ["--x=\"$HOME\" `id`", ["--x=$HOME", "`id`"]]
  ])("%s", (text, words) => assert.deepStrictEqual(Result.getOrThrow(splitWords(text)), words))

  it("an open quote is said, with the variable", () => {
    const read = defaultFlags("claude", { LEAP_CLAUDE_FLAGS: "--a 'b" })
    assert.isTrue(Result.isFailure(read) && read.failure.includes("LEAP_CLAUDE_FLAGS"))
  })

  it.prop("quoted words come back as they were", { words: Schema.Array(Schema.String) }, ({ words }) => {
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")
    assert.deepStrictEqual(Result.getOrThrow(splitWords(quoted)), words)
  })
})
