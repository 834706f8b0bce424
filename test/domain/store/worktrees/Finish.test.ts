import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  busyProblem,
  conflictText,
  type FinishFacts,
  finishProblem,
  type FinishWish,
  flatText,
  mergedLine,
  mergeMessage,
  offeredFinishes,
  type TreeFacts,
  worktreeLine
} from "../../../../src/domain/store/worktrees/Finish.ts"
import { sessionStates } from "../../../../src/domain/words/session/states.ts"

const clean: TreeFacts = {
  path: "/p",
  branch: "main",
  operation: false,
  changes: { changed: [], untracked: [], conflicts: [] }
}
const facts: FinishFacts = {
  linked: true,
  superproject: null,
  own: { ...clean, path: "/w", branch: "fix", changes: { changed: ["a"], untracked: ["b"], conflicts: [] } },
  main: clean
}
const wish: FinishWish = { how: "merge", message: "m", base: "main" }

describe("a worktree that is to be finished", () => {
  it("is, where nothing stands against it", () => {
    for (const how of ["merge", "rebase", "commit"] as const) assert.isNull(finishProblem(facts, { ...wish, how }), how)
    assert.isNull(
      finishProblem({ ...facts, own: { ...facts.own, changes: clean.changes } }, { ...wish, message: null })
    )
    // nothing of the base counts for a commit alone
    assert.isNull(finishProblem({ ...facts, main: null }, { ...wish, how: "commit", base: "other" }))
  })

  const against: ReadonlyArray<readonly [found: Partial<FinishFacts>, says: RegExp, wished?: Partial<FinishWish>]> = [
    [{ linked: false }, /\/w is no worktree beside a main one/],
    [{ superproject: "/s" }, /is a submodule of \/s/],
    [{ main: null }, /the repository is bare/],
    [{ main: { ...clean, branch: null } }, /no branch is checked out in the main work tree \(\/p\)/],
    [{ main: { ...clean, operation: "a rebase" } }, /in the middle of a rebase in the main work tree/],
    [{ main: { ...clean, operation: null } }, /the state of the main work tree .* cannot be told/],
    [{ main: { ...clean, changes: null } }, /cannot be told/],
    [{ main: { ...clean, branch: "other" } }, /has 'other' checked out by now, not 'main'/],
    [{ main: { ...clean, changes: { changed: ["x"], untracked: [], conflicts: [] } } }, /1 file with uncommitted ch/],
    [{ own: { ...facts.own, changes: { changed: [], untracked: [], conflicts: ["c"] } } }, /1 file in conflict \(c\)/],
    [{ own: { ...facts.own, branch: null } }, /no branch is checked out in the worktree/],
    [
      { own: { ...facts.own, changes: { changed: ["s"], untracked: [], conflicts: [], within: ["s"] } } },
      /1 submodule/
    ],
    [{ own: { ...facts.own, changes: { changed: [], untracked: ["r/"], conflicts: [] } } }, /1 repository within/],
    [{}, /2 files that are not committed \(a, b\): a message is needed/, { message: " \n" }],
    [{ own: { ...facts.own, changes: clean.changes } }, /^there is nothing to commit$/, { how: "commit" }]
  ]
  it("is not, and it is said why", () => {
    for (const [found, says, wished] of against)
      assert.match(finishProblem({ ...facts, ...found }, { ...wish, ...wished }) ?? "", says)
  })

  it.prop("is told of in one harmless line, whatever names are in it", [Schema.String, Schema.String], ([one, two]) => {
    const named = { ...clean, path: one, branch: two, changes: { changed: [one], untracked: [two], conflicts: [] } }
    const told = [
      finishProblem({ ...facts, own: named }, { ...wish, message: null }),
      finishProblem({ ...facts, main: named }, { ...wish, base: two }),
      conflictText(one, two, [one], "merge"),
      conflictText(one, two, [one], "oneByOne"),
      flatText(one, [two]),
      worktreeLine({ branch: one, base: two, uncommitted: 1, ahead: 1, behind: 1 })
    ]
    // oxlint-disable-next-line no-control-regex
    for (const line of told) assert.notMatch(line ?? "", /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/)
  })

  it("waits for its session, unless that rests or has ended", () =>
    assert.deepStrictEqual(
      sessionStates.filter((state) => busyProblem("fix", state) === null),
      ["idle", "interrupted", "exited"]
    ))

  it("is offered what can be done, and told of in numbers, or as unknown", () => {
    const known = { branch: "fix", base: "main", uncommitted: 0, ahead: 1, behind: 0 }
    assert.deepStrictEqual(offeredFinishes(known, false), ["merge", "rebase"])
    assert.deepStrictEqual(offeredFinishes({ base: null, uncommitted: 1 }, true), ["commit", "discard"])
    assert.deepStrictEqual(offeredFinishes({ base: null, uncommitted: null }, false), ["commit"])
    assert.strictEqual(worktreeLine(known), "branch 'fix': 0 files not committed, 1 commit not in 'main'")
    assert.strictEqual(
      worktreeLine({ ...known, uncommitted: null, ahead: null, behind: null }),
      "branch 'fix': an unknown number of files not committed, an unknown number of commits not in 'main', " +
        "an unknown number of commits of 'main' not in it"
    )
    assert.include(
      mergedLine("fix", "main", null, "0123456789"),
      "has an unknown number of commits of 'fix' now (0123456)"
    )
  })

  it("is merged under git's own words", () => {
    assert.strictEqual(mergeMessage("fix", "main"), "Merge branch 'fix'")
    assert.strictEqual(mergeMessage("fix", "next"), "Merge branch 'fix' into next")
  })
})
