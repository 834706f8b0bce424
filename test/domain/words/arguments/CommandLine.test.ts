import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { commandNames, Tag } from "../../../../src/domain/words/session/Tag.ts"
import { commandLike, commandNear, parseCommandLine } from "../../../../src/domain/words/arguments/CommandLine.ts"

const verbs = new Set(["edit", "show"])

describe("a command line is sorted before any parser sees it", () => {
  it.each([
    { argv: ["my-tag"], words: ["start", "my-tag"], rest: [] },
    { argv: [], words: ["start"], rest: [] },
    { argv: ["--help"], words: ["--help"], rest: [] },
    { argv: ["status", "--json"], words: ["status", "--json"], rest: [] },
    { argv: ["queue", "my-tag", "--json"], words: ["queue", "show", "my-tag", "--json"], rest: [] },
    { argv: ["queue", "edit", "t", "i", "-x"], words: ["queue", "edit", "--", "t", "i", "-x"], rest: [] },
    { argv: ["send", "t", "-fix this"], words: ["send", "--", "t", "-fix this"], rest: [] },
    {
      argv: ["send", "t", "--force it please", "--wait", "--timeout", "5"],
      words: ["send", "--wait", "--timeout", "5", "--", "t", "--force it please"],
      rest: []
    },
    {
      argv: ["send", "--timeout=5", "t", "--", "--wait", "--", "x"],
      words: ["send", "--timeout=5", "--", "t", "--wait", "--", "x"],
      rest: []
    },
    { argv: ["send", "t", "--id", "x123", "hi"], words: ["send", "--id", "x123", "--", "t", "hi"], rest: [] },
    { argv: ["send", "--all", "hi"], words: ["send", "--all", "--", "hi"], rest: [] },
    { argv: ["send", "--tags", "a,b*", "hi"], words: ["send", "--tags", "a,b*", "--", "hi"], rest: [] },
    // in a text they are text: it must not go to sessions that nobody meant
    {
      argv: ["send", "t", "run", "--all", "--tags", "x"],
      words: ["send", "--", "t", "run", "--all", "--tags", "x"],
      rest: []
    },
    { argv: ["send", "t", "-"], words: ["send", "--", "t", "-"], rest: [] },
    { argv: ["send", "--help"], words: ["send", "--help", "--"], rest: [] },
    { argv: ["answer", "t", "-1"], words: ["answer", "--", "t", "-1"], rest: [] },
    { argv: ["help"], words: ["--help"], rest: [] },
    { argv: ["help", "status"], words: ["status", "--help"], rest: [] },
    { argv: ["help", "--help"], words: ["--help"], rest: [] },
    { argv: ["help", "help"], words: ["help", "--help"], rest: [] },
    { argv: ["help", "policies"], words: ["help", "policies"], rest: [] },
    { argv: ["help", "docs", "mcp"], words: ["help", "docs", "mcp"], rest: [] },
    { argv: ["queue", "--help"], words: ["queue", "--help"], rest: [] },
    { argv: ["--resume", "--last"], words: ["resume", "--last"], rest: [] },
    { argv: ["--reconfigure"], words: ["hooks", "install"], rest: [] },
    {
      argv: ["clis", "edit", "c", "--flags", "--model opus", "--env", "A=-b"],
      words: ["clis", "edit", "c", "--flags=--model opus", "--env=A=-b"],
      rest: []
    },
    { argv: ["clis", "add", "--name", "-x", "--flags"], words: ["clis", "add", "--name=-x", "--flags"], rest: [] },
    {
      argv: ["exec", "- a\n- b --help", "--json", "--", "-x"],
      words: ["exec", "--json", "--", "- a\n- b --help"],
      rest: ["-x"]
    },
    {
      argv: ["chat", "--system-prompt", "-be brief", "--model=a b", "-"],
      words: ["chat", "--system-prompt=-be brief", "--model=a b", "-"],
      rest: []
    },
    { argv: ["exec", "-h"], words: ["exec", "-h"], rest: [] },
    // the name of a worktree's branch may be missing
    { argv: ["t", "--worktree"], words: ["start", "t", "--worktree="], rest: [] },
    { argv: ["t", "--worktree", "-d"], words: ["start", "t", "--worktree=", "-d"], rest: [] },
    { argv: ["start", "t", "--worktree", "a/b"], words: ["start", "t", "--worktree", "a/b"], rest: [] },
    { argv: ["forget", "--worktree", "t"], words: ["forget", "--worktree", "t"], rest: [] },
    { argv: ["t", "--worktree", "--", "-x"], words: ["start", "t", "--worktree="], rest: ["-x"] },
    { argv: ["t", "--", "status"], words: ["start", "t"], rest: ["status"] }
  ])("$argv", ({ argv, rest, words }) => {
    assert.deepStrictEqual(parseCommandLine(argv, verbs), { words, rest })
  })
})

describe("a tag", () => {
  const valid = Schema.is(Tag)
  it.each(["", "-a", "_a", "a b", "a/b", "../x", "ä", "a.b", "a".repeat(201), ...commandNames])("%s is none", (tag) =>
    assert.isFalse(valid(tag))
  )
})

describe("a word that is a slip of the fingers from a command", () => {
  it.each([
    ["sned", "send"],
    ["stauts", "status"],
    ["quuee", "queue"],
    ["attahc", "attach"],
    ["mdoe", "mode"],
    ["satus", "status"],
    ["stats", "status"],
    ["statis", "status"],
    ["attachh", "attach"],
    ["ls", "status"],
    ["list", "status"],
    ["ps", "status"],
    ["kill", "stop"],
    ["rm", "forget"],
    ["logs", "log"],
    ["merge", "finish"]
  ])("%s is meant to be %s", (word, command) => {
    assert.strictEqual(commandNear(word), command)
    assert.include(commandNames, command)
  })
  it.each([
    "my-feature",
    "ab",
    "api",
    "frontend",
    "x1",
    "demo1",
    "stop1",
    "node",
    "store",
    "cli",
    "codes",
    "web1",
    "note",
    "Satus",
    "send",
    "noob"
  ])("%s is none", (word) => assert.isNull(commandNear(word)))
  it.each([
    ["sned", "send"],
    ["atach", "attach"],
    ["attachh", "attach"],
    ["staus", "status"],
    ["statis", "status"],
    ["quue", "queue"]
  ])("%s with text behind it is meant to be %s", (word, command) => assert.strictEqual(commandLike(word), command))
  it.each(["send", "api", "my-feature", "mai", "frontend", "x1"])("%s with text behind it is none", (word) =>
    assert.isNull(commandLike(word))
  )
})
