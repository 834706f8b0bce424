import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  readRefs,
  readStatus,
  readUnwatched,
  readWorktreeList
} from "../../../../src/domain/store/worktrees/GitText.ts"

const z = (...fields: ReadonlyArray<string>): string => fields.map((field) => `${field}\0`).join("")

describe("what git prints", () => {
  it("lists worktrees: main, detached, locked, gone, with any path", () => {
    const text =
      z("worktree /p/a b\nc", "HEAD 1", "branch refs/heads/main", "") +
      z("worktree /p/d", "HEAD 2", "detached", "locked", "") +
      z("worktree /p/l", "HEAD 3", "branch refs/heads/x/y", "locked why not", "prunable gitdir file points nowhere", "")
    assert.deepStrictEqual(readWorktreeList(text), [
      { path: "/p/a b\nc", bare: false, branch: "main", locked: null, gone: false },
      { path: "/p/d", bare: false, branch: null, locked: "", gone: false },
      { path: "/p/l", bare: false, branch: "x/y", locked: "why not", gone: true }
    ])
    assert.deepStrictEqual(readWorktreeList(z("worktree /p.git", "bare", ""))[0]?.bare, true)
    assert.deepStrictEqual(readWorktreeList(""), [])
  })

  it("lists changes", () => {
    const text = z(
      "1 .M N... 100644 100644 100644 1 2 a b.txt",
      "1 .M SC.U 160000 160000 160000 1 2 sub",
      "2 R. N... 100644 100644 100644 1 2 R100 new name",
      "old name",
      "u UU N... 100644 100644 100644 100644 1 2 3 torn",
      "? x y",
      "! ignored",
      "# branch.head main"
    )
    assert.deepStrictEqual(readStatus(text), {
      changed: ["a b.txt", "sub", "new name"],
      untracked: ["x y"],
      conflicts: ["torn"],
      within: ["sub"]
    })
    assert.deepStrictEqual(readStatus(""), { changed: [], untracked: [], conflicts: [] })
  })

  it.each(["x", "? a\0? b", "9 of a later git\0"])("an entry that is not understood is no clean tree: %j", (text) =>
    assert.isNull(readStatus(text))
  )

  it("lists files that git was told not to look at, and refs", () => {
    assert.deepStrictEqual(readUnwatched(z("H a", "h b b", "S c", "s d", "M e")), ["b b", "c", "d"])
    const refs = "refs/heads/main\nrefs/heads/a/b\nrefs/remotes/origin/HEAD\nrefs/remotes/origin/main\n"
    assert.deepStrictEqual(readRefs(refs), { branches: ["main", "a/b"], remote: ["origin/main"] })
  })

  it.prop("nothing throws", [Schema.String], ([text]) => {
    assert.isArray(readWorktreeList(text))
    assert.isArray(readUnwatched(text))
    const changes = readStatus(text)
    assert.isTrue(changes === null || Array.isArray(changes.changed))
  })
})
