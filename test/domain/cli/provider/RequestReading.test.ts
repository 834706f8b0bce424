import { assert, describe, it } from "@effect/vitest"
import {
  argumentsOf,
  commandLineOf,
  patchPaths,
  patchPathsIn
} from "../../../../src/domain/cli/provider/RequestReading.ts"

describe("a patch", () => {
  it.each<readonly [string, string, ReadonlyArray<string>]>([
    ["one file", "*** Begin Patch\n*** Add File: /home/dev/new.txt\n+x\n*** End Patch", ["/home/dev/new.txt"]],
    [
      "added, changed, moved, deleted",
      [
        "*** Begin Patch",
        "*** Add File: a.txt",
        "+x",
        "*** Update File: src/b.ts",
        "*** Move to: src/c.ts",
        "@@",
        "-1",
        "+2",
        "*** Delete File: d e.md",
        "*** End Patch"
      ].join("\n"),
      ["a.txt", "src/b.ts", "src/c.ts", "d e.md"]
    ],
    ["the same file twice", "*** Update File: a\n@@\n*** Update File: a", ["a"]],
    ["Windows line ends", "*** Begin Patch\r\n*** Delete File: a.txt\r\n*** End Patch\r\n", ["a.txt"]],
    ["a head that is indented, which Codex takes", "  *** Update File:  a.txt  ", ["a.txt"]],
    [
      "lines of the text that look like heads of files",
      "*** Update File: a\n+*** Delete File: b\n-*** Add File: c",
      ["a"]
    ],
    ["no name", "*** Update File: \n*** Delete File:", []],
    ["no patch", "rm -rf /", []]
  ])("names its files: %s", (_, patch, paths) => assert.deepStrictEqual(patchPaths(patch), paths))

  it("is found in a command line", () => {
    assert.deepStrictEqual(
      patchPathsIn("apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: .env\n*** End Patch\nEOF"),
      [".env"]
    )
    assert.deepStrictEqual(patchPathsIn("cat '*** Delete File: .env'"), [])
    assert.deepStrictEqual(patchPathsIn(null), [])
  })
})

describe("a command", () => {
  it.each<readonly [unknown, string | null]>([
    ["git push", "git push"],
    [["bash", "-lc", "git push && ls"], "git push && ls"],
    [["/bin/sh", "-c", "ls"], "ls"],
    [["git", "commit", "-m", "it's a test"], "git commit -m 'it'\\''s a test'"],
    [["rm", "-rf", "a b"], "rm -rf 'a b'"],
    [["sh", "-c", "ls", "name"], "sh -c ls name"],
    [["bash"], "bash"],
    ["", null],
    [[], null],
    [["git", 7], null],
    [7, null],
    [undefined, null],
    [{ command: "ls" }, null]
  ])("%j is the line %j", (value, line) => assert.strictEqual(commandLineOf(value), line))
})

describe("arguments", () => {
  it.each<readonly [unknown, unknown]>([
    [{ a: 1 }, { a: 1 }],
    ['{"a":1}', { a: 1 }],
    ['{"a":', {}],
    ["[1]", {}],
    ["*** Begin Patch", {}],
    [[1], {}],
    [null, {}]
  ])("%j are %j", (value, fields) => assert.deepStrictEqual<unknown>(argumentsOf(value), fields))
})
