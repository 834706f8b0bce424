import { assert, it } from "@effect/vitest"
import { movedLinkText } from "../../../../src/domain/store/relocation/LinkText.ts"

const piece = { from: "/home/a/old/s", to: "/mnt/new/deep/s" }

it("a link means after the move what it meant before", () => {
  const table: ReadonlyArray<readonly [string, string | null, string]> = [
    ["file", "", "file"],
    ["sub/file", "", "sub/file"],
    ["../file", "sub", "../file"],
    ["../../s/file", "sub", "../../s/file"],
    ["/etc/hosts", "sub", "/etc/hosts"],
    ["/home/a/old/s", "", "/mnt/new/deep/s"],
    ["/home/a/old/s/x/../y", "", "/mnt/new/deep/s/y"],
    ["/home/a/old/sibling", "", "/home/a/old/sibling"],
    ["../neighbour", "", "../../../../home/a/old/neighbour"],
    ["../../neighbour", "sub", "../../../../../home/a/old/neighbour"],
    // The piece is a link itself.
    ["target", null, "../../../home/a/old/target"],
    ["/elsewhere", null, "/elsewhere"]
  ]
  for (const [text, holder, expected] of table)
    assert.strictEqual(movedLinkText(text, piece, holder), expected, `${text} in ${holder}`)
})
