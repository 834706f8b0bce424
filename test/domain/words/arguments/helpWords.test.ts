import { assert, describe, it } from "@effect/vitest"
import { helpWords } from "../../../../src/domain/words/arguments/helpWords.ts"

describe("a command line that asks for help", () => {
  it.each([
    ["--help", ""],
    ["-h", ""],
    ["help", ""],
    ["attach --help", "attach"],
    ["queue edit -h", "queue edit"],
    ["help queue edit", "queue edit"],
    ["help send", "send"],
    // no such page: that is not said here
    ["help queue nonsense", "queue nonsense"]
  ])("leap %s: of '%s'", (line, words) => {
    assert.strictEqual(helpWords(line.split(" "))?.join(" "), words)
  })

  it.each([
    "",
    "attach",
    "help docs",
    "help worktrees",
    "help docs queue",
    "help --json",
    "help attach --help",
    "help help --help",
    "mine --help",
    "attach mine_2 --help",
    "attach --help mine",
    "send w -h --force",
    "status --json --help",
    "exec -- --help",
    "-- --help",
    "help -- attach",
    "Attach --help",
    "__proto__ --help"
  ])("leap %s: is left to the parser", (line) => {
    assert.isNull(helpWords(line.split(" ")))
  })
})
