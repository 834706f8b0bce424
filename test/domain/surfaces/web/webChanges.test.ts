import { assert, describe, it } from "@effect/vitest"
import type { ChangedFile, Changes } from "../../../../src/domain/store/worktrees/Changes.ts"
import { webChanges } from "../../../../src/domain/surfaces/web/webChanges.ts"

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  from: null,
  kind: "changed",
  added: 1,
  removed: 0,
  ...more
})
const patchOf = (head: string) => `diff --git ${head}\n@@ -0,0 +1 @@\n+x\n`

const changes = (files: ReadonlyArray<ChangedFile>, patch: string, more: Partial<Changes> = {}): Changes => ({
  directory: "/d",
  against: { name: "the last commit", commit: null },
  files,
  patch,
  unlisted: 0,
  unshown: 0,
  ...more
})

describe("the changes of a session on a page", () => {
  it("have each file with its own patch, whatever its name is", () => {
    const names = ["a b/c", "a b/x b/c", "wörter", 'q"\t\n', "gone"]
    const heads = ["a/a b/c b/a b/c", "a/a b/x b/c b/a b/x b/c", "a/wörter b/wörter", '"a/q\\"\\t\\n" "b/q\\"\\t\\n"']
    const { files } = webChanges(
      changes(
        names.map((name) => file(name)),
        heads.map(patchOf).join("")
      )
    )
    assert.deepStrictEqual(
      files.map(({ patch, path }) => [path, patch]),
      [...["a b/c", "a b/x b/c", "wörter", 'q\\"\\t\\n'].map((name, n) => [name, patchOf(heads[n]!)]), ["gone", null]]
    )
  })

  it("have a renamed file by its present name, and both patches of one with a new type", () => {
    const renamed = "diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n"
    const retyped = patchOf("a/x b/x") + patchOf("a/x b/x")
    const { files } = webChanges(changes([file("new", { from: "old", kind: "renamed" }), file("x")], renamed + retyped))
    assert.deepStrictEqual(
      files.map(({ from, patch }) => [from, patch]),
      [
        ["old", renamed],
        [null, retyped]
      ]
    )
  })

  it("have no text that hides or reorders others", () => {
    const found = webChanges(
      changes([file("a\u202eb\nc")], patchOf("a/x b/x"), {
        against: { name: "x\u001b[2J", commit: null },
        worktree: { branch: "b\u202e", base: "m\u0007", uncommitted: 0, ahead: 0, behind: 0 }
      })
    )
    assert.notMatch(JSON.stringify(found), /\\u00|[\u202e\u001b]/)
    assert.strictEqual(found.files[0]?.path, "ab\\nc")
  })
})
