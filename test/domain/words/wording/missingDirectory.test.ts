import { assert, describe, it } from "@effect/vitest"
import { missingDirectory } from "../../../../src/domain/words/wording/missingDirectory.ts"

const gone = "is not there any more: change to another one"

describe("a directory that is not there", () => {
  it.each<readonly [named: string | null, path: string, exists: boolean, says: string]>([
    [null, "/a/b", false, `the directory that you are in (/a/b) ${gone}`],
    [null, "", false, `the directory that you are in ${gone}`],
    [null, "/a\u001b[2Jb", false, `the directory that you are in (/a[2Jb) ${gone}`],
    ["/c", "/a", true, "there is no directory /c"],
    ["/c", "", false, "there is no directory /c"],
    ["c", "/a", true, "there is no directory c"],
    [".", "/a", false, `there is no directory .; the directory that you are in (/a) ${gone}`],
    ["", "/a", true, "the directory's name is empty"]
  ])("%j, in %j (%j): %s", (named, path, exists, says) => {
    const said = missingDirectory(named, { path, exists })
    assert.notInclude(said, "\u001b")
    if (!path.includes("\u001b")) assert.strictEqual(said, says)
  })
})
