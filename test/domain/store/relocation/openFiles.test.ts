import { assert, describe, it } from "@effect/vitest"
import { filesInLsof, openText } from "../../../../src/domain/store/relocation/openFiles.ts"

describe("the files that lsof names", () => {
  it.each<
    readonly [what: string, output: ReadonlyArray<string>, found: Readonly<Record<string, ReadonlyArray<number>>>]
  >([
    [
      "of macOS",
      ["p1", "fcwd", "D0x1000004", "i2", "f3", "D0x1000004", "i77"],
      { "16777220:2": [1], "16777220:77": [1] }
    ],
    ["of Linux, of several", ["p1", "f3", "D0x802", "i5", "p20", "f9", "D0x802", "i5"], { "2050:5": [1, 20] }],
    ["without a device, or an inode", ["p1", "f0", "i5", "f1", "D0x802", "f2", "D0x10", "i6"], { "16:6": [1] }],
    ["in nonsense", ["", "lsof: WARNING", "D0xzz", "i5", "p1", "fx", "Dx", "i5"], {}]
  ])("%s", (_, output, found) =>
    assert.deepStrictEqual(
      Object.fromEntries([...filesInLsof(`${output.join("\n")}\n`)].map(([key, pids]) => [key, [...pids]])),
      { ...found }
    )
  )
  it("or that cannot be known are not free", () => {
    assert.isNull(openText([]))
    assert.match(openText(null) ?? "", /neither \/proc nor lsof/)
    assert.strictEqual(openText([3, 4]), "process 3, 4 has it open")
  })
})
