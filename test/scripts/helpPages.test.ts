import { assert, describe, it } from "@effect/vitest"
import helpPages from "#generated/helpPages.json" with { type: "json" }
import { helpColumns, type HelpPage, helpText } from "../../src/domain/words/arguments/helpText.ts"
import { commandGroups, commandsOf } from "../../src/domain/words/session/commandGroups.ts"
import { commandNames } from "../../src/domain/words/session/tagRules.ts"
import { columnsOf } from "../../src/domain/words/text/columns.ts"

const pages = Object.entries(helpPages as Readonly<Record<string, string>>)

describe("the help pages that are printed without the parser", () => {
  it("fit the columns of an ordinary terminal, and what is no terminal gets the same", () => {
    assert.isAtLeast(pages.length, 60)
    assert.strictEqual(helpColumns(null), 80)
    for (const [words, page] of pages) {
      const lines = helpText(JSON.parse(page) as HelpPage, { colour: false, columns: 80 }).split("\n")
      for (const line of lines) {
        assert.isAtMost(columnsOf(line), 80, words)
        assert.strictEqual(line, line.trimEnd(), words)
      }
    }
  })

  const page = (words: string) => JSON.parse((helpPages as Record<string, string>)[words] ?? "") as HelpPage
  const look = { colour: false, columns: 80 }

  it("begin with one that an ordinary terminal shows whole, the prompt below it too", () => {
    const rows = helpText(page(""), look).split("\n")
    assert.isAtMost(rows.length, 23)
    // each command has a row of its own and no more
    const starts = commandGroups.flatMap(({ daily }) => [...daily])
    const listed = rows.flatMap((row) => /^ {2}.{14} {2}([a-z]+) {2,}\S/.exec(row)?.[1] ?? [])
    assert.deepStrictEqual(listed, starts)
    assert.isAtLeast(starts.length, 12)
    for (const { daily, title } of commandGroups)
      if (daily.length > 0)
        assert.lengthOf(
          rows.filter((row) => row.startsWith(`  ${title}  `)),
          1,
          title
        )
    assert.match(rows.at(-2) ?? "", /^ {2}leap help --all +all commands$/)
  })

  it.each([20, 40, 60, 100])("keep their words in %i columns", (columns) => {
    const words = helpText(page(""), { ...look, columns: helpColumns(columns) }).split(/\s+/)
    for (const word of helpText(page(""), look).split(/\s+/)) assert.include(words, word)
  })

  it("list all commands by their purpose, each once", () => {
    const groups = page("--all").lists.filter(([title]) => title !== "GLOBAL FLAGS")
    assert.deepStrictEqual(
      groups.map(([title, rows]) => [title, rows.map(([name]) => name)]),
      commandGroups.map((group) => [group.title.toUpperCase(), [...commandsOf(group)]])
    )
    const all = commandGroups.flatMap(commandsOf)
    assert.sameMembers([...new Set(all)], all)
    assert.sameMembers([...all, "version"], [...commandNames])
    assert.sameMembers(
      all,
      pages.flatMap(([words]) => (/^[a-z-]+$/.test(words) && words !== "--all" ? [words] : []))
    )
  })
})
