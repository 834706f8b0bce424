import { assert, describe, it } from "@effect/vitest"
import { cutPatch, patchMost, readChangedFiles, shownFiles } from "../../../../src/domain/store/worktrees/Changes.ts"
import { patchFiles, remarksText } from "../../../../src/domain/store/worktrees/patchLines.ts"

const patch = `some words before
diff --git a/src/a.ts b/src/a.ts
index 111..222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -3,3 +3,4 @@ export const a = 1
 same
--- gone
+++ come
+more
 last
@@ -20 +21 @@
-x
\\ No newline at end of file
+y
diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
diff --git "a/caf\\303\\251" "b/caf\\303\\251"
new file mode 100644
Binary files /dev/null and "b/caf\\303\\251" differ
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-bye
`

describe("a patch", () => {
  const files = patchFiles(patch)

  it("has its files by the name that they have now, and counts their lines", () => {
    assert.deepStrictEqual(
      files.map(({ added, name, removed }) => [name, added, removed]),
      [
        ["src/a.ts", 3, 2],
        ["new name", 0, 0],
        ["café", 0, 0],
        ["gone", 0, 1]
      ]
    )
    assert.deepStrictEqual(patchFiles("nothing differs"), [])
  })

  it("has a name with quotes and blanks, as git writes it", () => {
    const name = String.raw`"b/a \"b\"\tc\\\303\251 \001.txt"`
    const added = `diff --git ${name.replace("b/", "a/")} ${name}\n--- /dev/null\n+++ ${name}\t\n@@ -0,0 +1 @@\n+x\n`
    assert.strictEqual(patchFiles(added)[0]?.name, 'a "b"\tc\\é \u0001.txt')
    assert.strictEqual(patchFiles(added.replace(/\n---[^]*/, "\n"))[0]?.name, 'a "b"\tc\\é \u0001.txt')
  })

  it("has each line with its number in the file: as it is, or as it was where it is gone", () => {
    assert.deepStrictEqual(
      files[0]!.lines.map(({ at, kind, text }) => `${at ?? "-"} ${kind} ${text}`),
      [
        "- hunk @@ -3,3 +3,4 @@ export const a = 1",
        "3 same  same",
        // what looks like a file's head is a line of its hunk
        "4 removed --- gone",
        "4 added +++ come",
        "5 added +more",
        "6 same  last",
        "- hunk @@ -20 +21 @@",
        "20 removed -x",
        "- about \\ No newline at end of file",
        "21 added +y"
      ]
    )
  })

  it("is cut between files where it is too long, and says how many are left out", () => {
    const file = (name: string) => `diff --git a/${name} b/${name}\n${"+y\n".repeat(patchMost / 8)}`
    assert.deepStrictEqual(cutPatch(file("x"), true), { patch: file("x"), shown: 1 })
    const cut = cutPatch(file("x") + file("y") + file("z") + file("w"), true)
    assert.deepStrictEqual([cut.patch === file("x") + file("y"), cut.shown], [true, 2])
    assert.deepStrictEqual(cutPatch(`diff --git a/x b/x\n${"y".repeat(patchMost)}`, true), { patch: "", shown: 0 })
    // what is behind a long one is shown; one without its end is not
    const long = `diff --git a/long b/long\n${"+y\n".repeat(patchMost / 2)}`
    assert.deepStrictEqual(cutPatch(long + file("x"), true), { patch: file("x"), shown: 1 })
    assert.deepStrictEqual(cutPatch(file("x") + file("y"), false), { patch: file("x"), shown: 1 })
    // a file that became a link is taken away and added
    assert.strictEqual(cutPatch("diff --git a/x b/x\n-a\ndiff --git a/x b/x\n+b\n", true).shown, 1)
  })

  it("has no file that a line of a file makes up behind what begins a line elsewhere", () => {
    const made = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\u2028diff --git a/made b/made\n"
    assert.deepStrictEqual([patchFiles(made).map(({ name }) => name), cutPatch(made, true).shown], [["x"], 1])
  })

  it("is what remarks are about: each with its place and its line", () => {
    const [, , gone, come] = files[0]!.lines
    assert.strictEqual(
      remarksText([
        { name: "src/a.ts", line: come!, text: " why?\n" },
        { name: "src/a.ts", line: gone!, text: "keep this" }
      ]),
      "src/a.ts:4\n> ++ come\nwhy?\n\nsrc/a.ts:4 (removed)\n> -- gone\nkeep this"
    )
  })
})

describe("the files that differ", () => {
  const raw = (letter: string, ...names: ReadonlyArray<string>) => `:100644 100644 1 2 ${letter}\0${names.join("\0")}\0`

  it.each([
    ["one that is changed", `${raw("M", "a")}1\t2\ta\0`, ["a null changed 1 2"]],
    ["a binary one", `${raw("A", "b")}-\t-\tb\0`, ["b null added null null"]],
    ["one that was renamed", `${raw("R096", "a", "b c")}1\t0\t\0a\0b c\0`, ["b c a renamed 1 0"]],
    ["one that is not merged", `${raw("U", "m")}${raw("M", "m")}3\t0\tm\0`, ["m null unmerged 3 0"]],
    ["a name with a tab and a line break", `${raw("D", "a\tb\nc")}0\t9\ta\tb\nc\0`, ["a\tb\nc null removed 0 9"]],
    ["a name like a record", `${raw("M", ":x")}1\t1\t:x\0`, [":x null changed 1 1"]],
    [
      "several, one without lines told",
      `${raw("T", "l")}${raw("C75", "a", "d")}2\t0\t\0a\0d\0`,
      ["l null retyped null null", "d a copied 2 0"]
    ],
    ["none", "", []]
  ])("are read: %s", (_, text, expected) => {
    assert.deepStrictEqual(
      readChangedFiles(text).map(
        ({ added, from, kind, path, removed }) => `${path} ${from} ${kind} ${added} ${removed}`
      ),
      expected
    )
  })

  it("have their patch shown as far as somebody reads it", () => {
    const file = (added: number) => ({ path: "x", from: null, kind: "changed" as const, added, removed: null })
    assert.lengthOf(shownFiles([file(9_000), file(1_000), file(1), file(1)]), 2)
    assert.lengthOf(shownFiles([file(10_001)]), 0)
    assert.deepStrictEqual(shownFiles([file(10_001), file(1)]), [file(1)])
    assert.lengthOf(shownFiles([file(1), file(1)]), 2)
  })
})
