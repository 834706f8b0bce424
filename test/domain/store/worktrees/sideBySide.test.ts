import { assert, describe, it } from "@effect/vitest"
import { patchFile } from "../../../../src/domain/store/worktrees/patchLines.ts"
import { differences, sideBySide } from "../../../../src/domain/store/worktrees/sideBySide.ts"

const patched = (...lines: ReadonlyArray<string>) => {
  const [before, after] = ["+", "-"].map((not) => lines.filter((line) => !"\\".includes(line[0]!) && line[0] !== not))
  const head = `@@ -1,${before!.length} +1,${after!.length} @@`
  return sideBySide(patchFile(["diff --git a/x b/x", head, ...lines].join("\n")).lines).slice(1)
}

const told = (pairs: ReturnType<typeof patched>) =>
  pairs.map(({ left, right }) => `${left?.was ?? ""}${left?.text ?? ""} | ${right?.at ?? ""}${right?.text ?? ""}`)

describe("a patch side by side", () => {
  it("has changed lines beside those that take their place, and the others on both sides", () => {
    assert.deepStrictEqual(told(patched(" a", "-b", "-c", "+B", " d", "+e")), [
      "1 a | 1 a",
      "2-b | 2+B",
      "3-c | ",
      "4 d | 3 d",
      " | 4+e"
    ])
    assert.deepStrictEqual(told(patched("-a", "+A", "-b", "+B")), ["1-a | 1+A", "2-b | 2+B"])
  })

  it("leaves a line without an end beside the one that has it", () => {
    const none = "\\ No newline at end of file"
    assert.deepStrictEqual(told(patched("-a", none, "+b")), ["1-a | 1+b", `${none} | `])
    assert.deepStrictEqual(told(patched("-a", "+b", none)), ["1-a | 1+b", ` | ${none}`])
    assert.deepStrictEqual(told(patched(" a", none)), ["1 a | 1 a", `${none} | ${none}`])
  })

  const marked = (before: string, after: string) => {
    const found = differences(patched(`-${before}`, `+${after}`))
    return [...found].map(([{ text }, [from, to]]) => text.slice(1).slice(from, to))
  }

  it("tells in what two lines differ, and nothing of lines that have little in common", () => {
    assert.deepStrictEqual(marked("const port = 80", "const port = 8080"), ["", "80"])
    assert.deepStrictEqual(marked("a = one(1)", "a = two(1)"), ["one", "two"])
    assert.deepStrictEqual(marked("aa", "aaa"), ["", "a"])
    assert.deepStrictEqual(marked("return all", "import x"), [])
    // the halves of a character stay together
    assert.deepStrictEqual(marked("it is 😀 now", "it is 😁 now"), ["😀", "😁"])
    assert.deepStrictEqual(marked("it is 𐐀 now", "it is 😀 now"), ["𐐀", "😀"])
  })
})
