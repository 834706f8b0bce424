import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { longestPattern, matches, matchesAll, matchesSome, textGlob } from "../../../src/domain/policy/TextGlob.ts"
import { runsOf } from "../../support/recordings/scenes.ts"

const texts = (letters: ReadonlyArray<string>, maxLength: number) =>
  Arbitrary.map(Arbitrary.array(Arbitrary.schema(Schema.Literals(letters)), { minLength: 0, maxLength }), (all) =>
    all.join("")
  )
const pattern = texts(["a", "b", " ", "*", "?", "\\*", "\n"], 8)
const text = texts(["a", "b", " ", "*", "\n"], 10)

/** The same as a regular expression. */
const expression = (pattern: string): RegExp => {
  const body = pattern
    .replace(/ \*$/, "\u0000")
    .replace(/\\?[\s\S]/g, (piece) =>
      piece === "*"
        ? ".*"
        : piece === "?"
          ? "."
          : piece === "\u0000"
            ? "(?: .*)?"
            : piece.length > 1
              ? `\\${piece[1]}`
              : piece
    )
  return new RegExp(`^${body}$`, "s")
}

describe("patterns over text", () => {
  it.prop(
    "match what the same regular expression matches",
    { pattern, text },
    ({ pattern, text }) => {
      const glob = textGlob(pattern)
      // a star that is escaped, or the whole of the pattern, is no end that may be left out
      if (glob === null || pattern === " *") return
      assert.strictEqual(matches(glob, text), expression(pattern).test(text), JSON.stringify([pattern, text]))
    },
    runsOf(2_000)
  )

  it.prop(
    "matchesAll and matchesSome tell of every text with that beginning",
    { pattern, text, rest: text },
    ({ pattern, rest, text }) => {
      const glob = textGlob(pattern)
      if (glob === null) return
      if (matchesAll(glob, text)) assert.isTrue(matches(glob, text + rest))
      if (matches(glob, text + rest)) assert.isTrue(matchesSome(glob, text) || matches(glob.short ?? glob, text + rest))
    },
    runsOf(2_000)
  )

  it.each([
    ["ls *", "ls", true],
    ["ls *", "ls ", true],
    ["ls *", "lsof", false],
    ["* *", "", true],
    ["* *", "ls", true],
    [" *", "", false],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["a*ab", "ab", false],
    ["", "", null],
    ["a\\", "a", null],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["*", "", true],
    ["?", "é", true],
    ["x".repeat(longestPattern), "x", false],
    ["x".repeat(longestPattern + 1), "x", null]
  ] as const)("%s and %s", (pattern, text, is) => {
    const glob = textGlob(pattern)
    assert.strictEqual(glob === null ? null : matches(glob, text), is)
  })
})
