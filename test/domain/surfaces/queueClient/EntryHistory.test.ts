import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  decodeEntries,
  encodeEntries,
  entriesMost,
  lengthMost,
  withEntry
} from "../../../../src/domain/surfaces/queueClient/EntryHistory.ts"
import { commandFolder, commandOf } from "../../../../src/domain/cli/provider/CommandSource.ts"
import { wordBefore } from "../../../../src/domain/surfaces/queueClient/Completion.ts"

describe("entries that are kept", () => {
  it("are few and short, each once, the newest last", () => {
    const many = Array.from({ length: entriesMost + 50 }, (_, i) => `entry ${i}`)
    const kept = many.reduce<ReadonlyArray<string>>(withEntry, [])
    assert.deepStrictEqual(kept, many.slice(50))
    assert.strictEqual(withEntry(kept, "entry 100").at(-1), "entry 100")
    assert.strictEqual(withEntry(kept, "entry 100").length, entriesMost)
    const long = "x".repeat(lengthMost / 2)
    assert.deepStrictEqual(withEntry(["a", `${long}1`], long), [long])
    assert.deepStrictEqual(withEntry(["a"], "x".repeat(lengthMost + 1)), ["a"])
    assert.deepStrictEqual(withEntry(["a"], " \n"), ["a"])
  })

  it.prop("come back from their document", [Schema.Array(Schema.String)], ([texts]) => {
    const entries = texts.reduce<ReadonlyArray<string>>(withEntry, [])
    assert.deepStrictEqual(decodeEntries(encodeEntries(entries)), entries)
  })

  it.each(["", "{", "null", "[]", '{"entries":1}', '{"entries":[1,null,"a"]}'])("%j does no harm", (text) => {
    assert.deepStrictEqual(decodeEntries(text), text.includes('"a"') ? ["a"] : [])
  })
})

describe("names", () => {
  it.each<readonly [string, string | null, string]>([
    ["/|", "command", ""],
    ["say /mo|", null, ""],
    ["/usr/lib|", null, ""],
    ["/model x|", null, ""],
    ["@|", "file", ""],
    ["mail me@home|", null, ""],
    ["@src/a| b", "file", "src/a"],
    ["@src|/a", null, ""]
  ])("of %s", (shown, kind, word) => {
    const cursor = shown.indexOf("|")
    const found = wordBefore({ text: shown.replace("|", ""), cursor })
    assert.deepStrictEqual(found === null ? null : [found.kind, found.word], kind === null ? null : [kind, word])
  })

  it.each<readonly [string, ReturnType<typeof commandFolder>, string | null]>([
    ["deploy.md", commandFolder("/c", ".md"), "deploy"],
    ["ops/deploy.md", commandFolder("/c", ".md"), null],
    ["ops/deploy.md", commandFolder("/c", ".md", { between: ":" }), "ops:deploy"],
    ["review/SKILL.md", commandFolder("/c", "/SKILL.md"), "review"],
    ["SKILL.md", commandFolder("/c", "/SKILL.md"), null],
    ["fix.md", commandFolder("/c", ".md", { prefix: "prompts:" }), "prompts:fix"],
    [".hidden.md", commandFolder("/c", ".md"), null],
    [".md", commandFolder("/c", ".md"), null],
    ["notes.txt", commandFolder("/c", ".md"), null]
  ])("of the command in %s", (path, folder, command) => assert.strictEqual(commandOf(folder, path), command))
})
