import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { file, text } from "../../scripts/help-pages.ts"
import { helpColumns, type HelpPage, helpText } from "../../src/domain/arguments/helpText.ts"
import { columnsOf } from "../../src/domain/text/columns.ts"

const pages = Object.entries(JSON.parse(fs.readFileSync(file, "utf8")) as Readonly<Record<string, string>>)

describe("the help pages that are printed without the parser", () => {
  it.effect("are current: 'node scripts/help-pages.ts' writes them", () =>
    Effect.map(text, (text) => assert.strictEqual(fs.readFileSync(file, "utf8"), text))
  )

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
})
