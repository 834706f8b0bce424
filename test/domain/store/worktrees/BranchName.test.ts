import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { badBranches, goodBranches } from "../../../support/data/branchNames.ts"
import { branchProblem, directoryFor } from "../../../../src/domain/store/worktrees/BranchName.ts"
import { Tag } from "../../../../src/domain/words/session/Tag.ts"

describe("a branch's name", () => {
  it.each(goodBranches)("is taken: %s", (name) => assert.isNull(branchProblem(name)))
  it.each(badBranches)("is not taken: %j", (name) => assert.isString(branchProblem(name)))

  it.each(["@", "refs/heads/a", "f".repeat(40), "a".repeat(241), "é".repeat(121), `${"a/".repeat(600)}b`, "\ud800"])(
    "is not taken where it would be something else, or no file's: %s",
    (name) => assert.isString(branchProblem(name))
  )

  it.prop("of a tag will do, unless it looks like a commit", [Tag], ([tag]) =>
    assert.strictEqual(branchProblem(tag) === null, !/^([0-9a-f]{40}|[0-9a-f]{64}|HEAD)$/i.test(tag))
  )

  it.prop("makes a directory's name: one part, short, with its number", [Schema.String, Schema.Int], ([name, n]) => {
    if (branchProblem(name) !== null) return
    const directory = directoryFor(name, Math.abs(n) + 1)
    assert.notInclude(directory, "/")
    assert.isAtMost(new TextEncoder().encode(directory).length, 120)
    assert.notInclude([".", "..", ""], directory)
    assert.notStrictEqual(directoryFor(name, 1), directoryFor(name, 2))
  })
})
