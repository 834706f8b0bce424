import { assert, describe, it } from "@effect/vitest"
import { fitsPattern, isPattern } from "../../../../src/domain/words/arguments/TagPattern.ts"
import { Tag } from "../../../../src/domain/words/session/Tag.ts"

describe("a pattern of tags", () => {
  it.each([
    ["*", "anything", true],
    ["feat-*", "feat-", true],
    ["feat-*", "feature", false],
    ["*-api", "web-api", true],
    ["*-api", "web-api-2", false],
    ["a*b*c", "aXbYbZc", true],
    ["a*b*c", "aXcYb", false],
    ["t?", "t1", true],
    ["t?", "t12", false],
    ["*a*a*a*a*a*a*a*a*a*b", "a".repeat(200), false]
  ] as const)("%s and %s: %s", (pattern, tag, fits) => {
    assert.strictEqual(fitsPattern(pattern, tag), fits)
  })

  it.prop("is never a tag, and as a tag fits itself alone", { tag: Tag }, ({ tag }) => {
    assert.isFalse(isPattern(tag))
    assert.isTrue(fitsPattern(tag, tag) && fitsPattern(`${tag}*`, tag) && !fitsPattern(`${tag}?`, tag))
  })
})
