import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isWithin } from "../../../../src/domain/words/text/paths.ts"
import {
  type Inspection,
  keptOf,
  lossesOf,
  removalVerdict,
  type SubmoduleLoss
} from "../../../../src/domain/store/worktrees/Losses.ts"
import { worktreeAt, worktreeOf, type WorktreeRecord } from "../../../../src/domain/store/worktrees/WorktreeRecord.ts"

const filled: SubmoduleLoss = {
  name: "libs/a",
  commits: 0,
  changes: [],
  unwatched: [],
  repositories: [],
  operation: false
}
const withSubmodule = (found: Partial<SubmoduleLoss>): Partial<Inspection> => ({
  submodules: { filled: true, losses: [filled, { ...filled, name: "libs/b", ...found }] }
})

const clean: Inspection = {
  identity: "own",
  locked: false,
  users: [],
  changes: { changed: [], untracked: [], conflicts: [] },
  unwatched: [],
  included: [],
  ignored: [],
  operation: false,
  submodules: { filled: false, losses: [] },
  repositories: [],
  commits: { count: 0, absorbed: false },
  tip: "c0",
  branchUsed: false
}

describe("a worktree that is to go", () => {
  it("goes with its branch when nothing is lost, and without it where that is another's", () => {
    assert.deepStrictEqual(removalVerdict(clean), { _tag: "Remove", branch: "c0" })
    assert.deepStrictEqual(removalVerdict({ ...clean, tip: false }), { _tag: "Remove", branch: null })
    assert.deepStrictEqual(removalVerdict({ ...clean, branchUsed: true }), { _tag: "Remove", branch: null })
    assert.deepStrictEqual(removalVerdict({ ...clean, commits: { count: 2, absorbed: true } }), {
      _tag: "Remove",
      branch: "c0"
    })
  })

  it.each<readonly [found: Partial<Inspection>, says: string]>([
    [{ changes: { changed: ["a"], untracked: [], conflicts: [] } }, "1 file with uncommitted changes (a)"],
    [{ changes: { changed: [], untracked: ["a", "b", "c", "d"], conflicts: [] } }, "4 untracked files (a, b, c, …)"],
    [{ changes: { changed: [], untracked: [], conflicts: ["x"] } }, "1 file in conflict (x)"],
    [{ unwatched: ["a"] }, "told not to look at"],
    [{ included: [".env"] }, "written since (.env)"],
    [{ ignored: [".env", "out/"] }, "2 files or directories that git ignores (.env, out/)"],
    [{ ignored: null }, "what git ignores in it cannot be told"],
    [{ operation: "a rebase" }, "a rebase that is not finished"],
    [withSubmodule({ commits: 2 }), "submodule libs/b with 2 commits that no remote of it has (push or undo that, or"],
    [withSubmodule({ commits: 2 }), "'git worktree remove --force'"],
    [
      withSubmodule({ changes: ["x"], operation: "a rebase" }),
      "libs/b with 1 changed file (x) and a rebase that is not"
    ],
    [withSubmodule({ unwatched: ["x"], repositories: ["y"] }), "not to look at (x) and 1 repository within (y)"],
    [withSubmodule({ commits: null }), "submodule libs/b with more that cannot be told"],
    [{ repositories: ["out/x/"] }, "1 repository within, which may hold commits (out/x/)"],
    [{ commits: { count: 2, absorbed: false } }, "2 commits neither merged nor pushed"],
    [{ locked: "" }, "it is locked;"],
    [{ users: ["process 7 (zsh)"] }, "process 7 (zsh) uses it"],
    [{ identity: "other" }, "not the one that leap made"]
  ])("stays with %j", (found, says) => {
    const verdict = removalVerdict({ ...clean, ...found })
    assert.include(verdict._tag === "Refused" ? verdict.why.join("; ") : "", says)
  })

  it("goes with submodules that are as they were filled", () =>
    assert.deepStrictEqual(removalVerdict({ ...clean, ...withSubmodule({}) }), {
      _tag: "Remove",
      branch: "c0",
      submodules: true
    }))

  it("names all that would be lost, not the first only", () =>
    assert.lengthOf(lossesOf({ ...clean, unwatched: ["a"], included: ["b"], ...withSubmodule({ commits: 1 }) }), 3))

  it("has unknown names shown as one harmless line", () =>
    assert.notMatch(lossesOf({ ...clean, unwatched: ["a\u001b[31m\n\u202ex"] }).join(""), /[\u001b\n\u202e]/))

  it.each(Object.keys(clean) as Array<keyof Inspection>)("stays while this is not known: %s", (name) =>
    assert.strictEqual(removalVerdict({ ...clean, [name]: null })._tag, "Refused")
  )

  const flags = Schema.Array(Schema.Boolean).check(Schema.isMinLength(11))
  it.prop("goes only when everything is known and clean, in whatever combination", [flags], ([bits]) => {
    const spoilt: Partial<Inspection> = {
      ...(bits[0] === true ? { locked: "x" } : {}),
      ...(bits[1] === true ? { users: ["x"] } : {}),
      ...(bits[2] === true ? { changes: null } : {}),
      ...(bits[3] === true ? { unwatched: ["x"] } : {}),
      ...(bits[4] === true ? { included: null } : {}),
      ...(bits[5] === true ? { operation: "a merge" } : {}),
      ...(bits[6] === true ? withSubmodule({ commits: 1 }) : {}),
      ...(bits[7] === true ? { commits: { count: 1, absorbed: false } } : {}),
      ...(bits[8] === true ? { identity: "other" as const } : {})
    }
    assert.strictEqual(removalVerdict({ ...clean, ...spoilt })._tag === "Remove", Object.keys(spoilt).length === 0)
  })

  it("that is gone leaves its branch where that has commits of its own, is in use, or is not known", () => {
    const gone: Inspection = { ...clean, identity: "gone" }
    assert.deepStrictEqual(removalVerdict(gone), { _tag: "Gone", branch: "c0" })
    for (const found of [
      { commits: { count: 1, absorbed: false } },
      { commits: null },
      { branchUsed: true },
      { tip: null }
    ])
      assert.deepStrictEqual(removalVerdict({ ...gone, ...found }), { _tag: "Gone", branch: null })
  })
})

describe("a worktree that did not become one", () => {
  it("goes with nobody's work in it, and stays otherwise", () => {
    const nobody = { changed: [], moved: false, users: [] }
    assert.deepStrictEqual(keptOf(nobody), [])
    for (const found of [
      { changed: ["a"] },
      { moved: true },
      { users: ["process 1"] },
      { changed: null },
      { moved: null },
      { users: null }
    ])
      assert.lengthOf(keptOf({ ...nobody, ...found }), 1)
  })
})

describe("whose a worktree is", () => {
  const record = (id: string, tag: string, path: string) => ({ id, tag, path }) as WorktreeRecord
  const records = [record("2", "a", "/w/a-2"), record("1", "a", "/w/a"), record("3", "b", "/w/b")]

  it("is told by its record, the one that the session lived in, else its newest; and by what is in it", () => {
    assert.strictEqual(worktreeOf(records, "a")?.id, "2")
    assert.strictEqual(worktreeOf(records, "a", "/w/a/deep")?.id, "1")
    assert.strictEqual(worktreeOf(records, "a", "/w/b")?.id, "2")
    assert.isNull(worktreeOf(records, "c"))
    assert.strictEqual(worktreeAt(records, "/w/a/deep")?.id, "1")
    assert.isNull(worktreeAt(records, "/w/ab"))
    assert.strictEqual(worktreeAt([...records, record("4", "c", "/w/a/in/it")], "/w/a/in/it/deep")?.id, "4")
    assert.isTrue(isWithin("/x", "/"))
  })
})
