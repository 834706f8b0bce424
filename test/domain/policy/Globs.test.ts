import { assert, describe, it } from "@effect/vitest"
import { decide } from "../../../src/domain/policy/decide.ts"
import { matcher } from "../../../src/domain/policy/Globs.ts"
import { bash, policyOf } from "./support.ts"

describe("the names that a shell may find for a component", () => {
  it.each([
    ["*", "a", true],
    ["*", ".a", false],
    [".*", ".a", true],
    ["a*c", "abc", true],
    ["a*c", "abd", false],
    ["a*", "b", false],
    ["*a*b*", "xaybz", true],
    ["*a*b*", "xbya", false],
    ["?", "a", true],
    // letters of several bytes
    ["??", "é", true],
    ["?", "ab", false],
    ["A?", "ab", true],
    ["[ab]c", "bc", true],
    ["[ab]c", "xc", false],
    ["[a-c]x", "bx", true],
    ["[!a]x", "bx", true],
    ["[[:alpha:]]x", "bx", true],
    ["[ab", "[ab", true],
    ["x[]", "x[]", true],
    ["x[!]", "x[!]", true],
    ["caf\u00e9*", "cafe\u0301s", true],
    ["\u{1f600}?", "\u{1f600}a", true],
    ["x$Y", "any", true],
    ["{a,b}", "any", true],
    ["", "a", false]
  ] as const)("%j finds %j: %s", (component, name, is) => {
    assert.strictEqual(matcher(component, false)(name), is)
  })

  // a reader that goes back and tries the next way would have more of them than atoms
  const name = "a".repeat(255)
  const hostile = ["*a", "*?a", "???", "[!b]*a", "*[a]"].map((unit) => `${unit.repeat(120)}b`)
  it.each(hostile.map((component) => ({ component })))(
    "is found in proportion to both: $component",
    ({ component }) => {
      assert.isFalse(matcher(component, false)(name))
      assert.isTrue(matcher(component.slice(0, -1), false)(name))
      const policy = policyOf({ deny: [{ path: `~/${name}/x` }] })
      const line = bash(`cat ~/${component}/x`)
      assert.strictEqual(
        decide({ policy, mode: "always", home: "/home/me", tag: "t", cli: "c" }, line).verdict,
        "allow"
      )
    }
  )
})
