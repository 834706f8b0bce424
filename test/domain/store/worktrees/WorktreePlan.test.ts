import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Tag } from "../../../../src/domain/words/session/Tag.ts"
import { branchProblem } from "../../../../src/domain/store/worktrees/BranchName.ts"
import {
  addArguments,
  branchArguments,
  planWorktree,
  type RepositoryFacts,
  type WorktreeWish
} from "../../../../src/domain/store/worktrees/WorktreePlan.ts"

const entry = { path: "/r/proj", bare: false, branch: "main", locked: null, gone: false }
const facts: RepositoryFacts = {
  top: "/r/proj",
  common: "/r/proj/.git",
  bare: false,
  linked: false,
  superproject: null,
  head: "c0",
  worktrees: [entry],
  branches: ["main", "old"],
  remoteBranches: ["origin/main", "origin/feature", "mine/both", "origin/both"]
}
const wish: WorktreeWish = { tag: "fix", branch: null, from: null, directory: null }

const plan = (of: Partial<RepositoryFacts>, wanted: Partial<WorktreeWish>) =>
  planWorktree({ ...facts, ...of }, { ...wish, ...wanted })
const planned = (of: Partial<RepositoryFacts>, wanted: Partial<WorktreeWish>) => {
  const found = plan(of, wanted)
  return found._tag === "Plan" ? found.plan : assert.fail(found.why)
}
const refused = (of: Partial<RepositoryFacts>, wanted: Partial<WorktreeWish>) => {
  const found = plan(of, wanted)
  return found._tag === "Refused" ? found : assert.fail("it was planned")
}

describe("a worktree's plan", () => {
  it.each<readonly [what: string, of: Partial<RepositoryFacts>, wanted: Partial<WorktreeWish>, words: string]>([
    ["a new branch of the session's name", {}, {}, "branch --no-track -- fix c0"],
    ["a new branch", {}, { branch: "a/b" }, "branch --no-track -- a/b c0"],
    ["from a commit", {}, { from: { name: "v1", commit: "c1" } }, "branch --no-track -- fix c1"],
    ["of a remote's", {}, { branch: "feature" }, "branch --track -- feature refs/remotes/origin/feature"],
    [
      "from elsewhere, though a remote has it",
      {},
      { branch: "feature", from: { name: "v1", commit: "c1" } },
      "branch --no-track -- feature c1"
    ],
    ["a session that is called like a remote's branch", {}, { tag: "feature" }, "branch --no-track -- feature c0"],
    ["a branch that is there", {}, { branch: "old" }, ""]
  ])("%s", (_, of, wanted, words) => {
    const found = planned(of, wanted)
    assert.strictEqual((branchArguments(found) ?? []).join(" "), words)
    assert.deepStrictEqual(addArguments(found, "/p/-x"), ["worktree", "add", "--", "/p/-x", found.branch])
  })

  it.each<
    readonly [what: string, of: Partial<RepositoryFacts>, directory: string | null, main: string, parent: string]
  >([
    ["beside the repository", {}, null, "/r/proj", "/r/proj.worktrees"],
    [
      "from a worktree: beside the main one",
      { linked: true, top: "/r/proj.worktrees/a" },
      null,
      "/r/proj",
      "/r/proj.worktrees"
    ],
    [
      "a bare repository",
      { bare: true, top: null, worktrees: [{ ...entry, path: "/r/p.git", bare: true }] },
      null,
      "/r/p.git",
      "/r/p.worktrees"
    ],
    [
      "a bare one in a directory",
      { bare: true, top: null, worktrees: [{ ...entry, path: "/r/p/.bare", bare: true }] },
      null,
      "/r/p/.bare",
      "/r/p/p.worktrees"
    ],
    ["the user's directory, one for each repository", {}, "/rooms/", "/r/proj", "/rooms/proj"],
    ["within the repository", {}, ".worktrees", "/r/proj", "/r/proj/.worktrees"],
    ["at the root", { top: "/proj" }, null, "/proj", "/proj.worktrees"]
  ])("is put %s", (_, of, directory, main, parent) => {
    const found = planned(of, { directory })
    assert.deepStrictEqual([found.main, found.parent], [main, parent])
  })

  it.each<
    readonly [what: string, of: Partial<RepositoryFacts>, wanted: Partial<WorktreeWish>, usage: boolean, says: string]
  >([
    ["no name", {}, { branch: "a b" }, true, "it holds a blank"],
    ["a remote's own", {}, { branch: "origin/feature" }, true, "'--worktree feature'"],
    ["checked out", {}, { branch: "main" }, false, "is checked out in /r/proj"],
    [
      "checked out where nothing is any more",
      { worktrees: [entry, { ...entry, path: "/gone", branch: "old", gone: true }] },
      { branch: "old" },
      false,
      "git worktree prune"
    ],
    ["there, and not named", {}, { tag: "old" }, false, "'--worktree old' works on it"],
    ["there, and to begin", {}, { branch: "old", from: { name: "v1", commit: "c1" } }, true, "--from is for one"],
    ["from nowhere", {}, { from: { name: "v9", commit: null } }, true, "'v9' is no commit"],
    ["in the way of another", {}, { branch: "old/x" }, false, "beside the branch 'old'"],
    ["of several remotes", {}, { branch: "both" }, false, "'--from mine/both'"],
    ["without a commit", { head: null }, {}, false, "no commit yet"],
    ["a submodule", { superproject: "/super" }, {}, false, "submodule of /super"]
  ])("is refused: %s", (_, of, wanted, usage, says) => {
    const found = refused(of, wanted)
    assert.strictEqual(found.usage, usage)
    assert.include(found.why, says)
  })

  it.prop(
    "never takes a name that git would not, nor one that is in use",
    [Tag, Schema.NullOr(Schema.String)],
    ([tag, branch]) => {
      const found = plan({}, { tag, branch })
      if (found._tag === "Refused") return assert.notStrictEqual(found.why, "")
      assert.isNull(branchProblem(found.plan.branch))
      assert.notStrictEqual(found.plan.branch, "main")
      assert.strictEqual(found.plan.exists, facts.branches.includes(found.plan.branch))
      assert.strictEqual(found.plan.start === null, found.plan.exists)
    }
  )
})
