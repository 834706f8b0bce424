import { assert, describe, it } from "@effect/vitest"
import { patchFile } from "../../../../src/domain/store/worktrees/patchLines.ts"
import { differences, sideBySide } from "../../../../src/domain/store/worktrees/sideBySide.ts"
import { changesLines } from "../../../../src/domain/surfaces/monitor/ChangesRows.ts"
import { encodeLine } from "../../../../src/domain/surfaces/tui/Paint.ts"

const file = patchFile(
  `diff --git a/a.ts b/a.ts\n@@ -1,2 +1,3 @@\n same\n-const port = 80 // old\n+const port = 8080 // old\n+all new\n`
)

const rows = (left: number, colour: boolean) =>
  changesLines(
    {
      _tag: "Changes",
      tag: "api",
      against: null,
      said: "said",
      files: [file],
      parts: differences(sideBySide(file.lines)),
      worktree: false,
      at: 0,
      top: 0,
      left
    },
    40,
    7
  ).map((line) => encodeLine(line, colour).trimEnd())

describe("a patch in the monitor", () => {
  it("has its added, removed and changed parts in the terminal's own colours", () => {
    const [, , hunk, same, removed, added, all] = rows(0, true)
    assert.include(hunk, "\u001b[36m@")
    assert.match(same ?? "", /^\u001b\[2m +1 \u001b\[m same/)
    assert.include(removed, "\u001b[31m-const port = 80 // old\u001b[m")
    assert.include(added, "\u001b[32m+const port = 80\u001b[m\u001b[7;32m80\u001b[m\u001b[32m // old")
    assert.include(all, "\u001b[32m")
    assert.notInclude(all, "\u001b[7;")
  })

  it("has them moved to the left with it, and no colours where there are none", () => {
    assert.include(rows(14, true)[5], "+0\u001b[m\u001b[7;32m80\u001b[m\u001b[32m // old")
    assert.include(rows(16, true)[5], "+\u001b[m\u001b[7;32m0\u001b[m\u001b[32m // old")
    for (const row of rows(0, false).slice(2)) assert.notMatch(row, /\u001b\[[^2m]/)
  })
})
