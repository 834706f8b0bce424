import { assert, describe, it } from "@effect/vitest"
import type { TestModule } from "vitest/node"
import * as hooks from "./providerHooks.ts"
import * as providers from "./providers.ts"
import * as sessionRecords from "./sessionRecords.ts"
import * as settings from "./settings.ts"
import { missingRows } from "./support/RowsReporter.ts"
import { providerRows, rowsInTitles, rowsOfTitle } from "./support/providerRows.ts"

const plain = (id: string): string => id.replace(/^([A-Q])-?0*(\d+)$/, "$1$2")
const inTables = [hooks, providers, sessionRecords, settings].flatMap(({ ids }) => ids.map(plain))

/** A run of one file, as the reporter is given it: its tests by title, and which of them passed. */
const ranModule = (moduleId: string, tests: ReadonlyArray<readonly [title: string, state: string]>) => {
  const module = { type: "module", moduleId, children: {} }
  const all = tests.map(([name, state]) => ({
    name,
    state,
    parent: { type: "suite", name: "a group", parent: module }
  }))
  module.children = { allTests: (state: string) => all.filter((test) => test.state === state) }
  return module as unknown as TestModule
}

describe("every row of the provider scenarios", () => {
  it("is in one table, or named by the title of a test elsewhere", () => {
    assert.deepStrictEqual(
      providerRows.filter((row) => !inTables.includes(row) && !rowsInTitles.includes(row)),
      []
    )
  })

  it("is in one table alone, and one of these sections", () => {
    assert.deepStrictEqual(
      inTables.filter((row, i) => inTables.indexOf(row) !== i),
      []
    )
    assert.includeMembers([...providerRows], [...inTables, ...rowsInTitles])
  })

  it("is missing from a run in which no test that passed names it", () => {
    const titles = rowsInTitles.map((row) => [`${row}: is so`, "passed"] as const)
    const [first = ""] = rowsInTitles
    assert.deepStrictEqual(missingRows([ranModule("test/layers/some.test.ts", titles)]), [])
    assert.deepStrictEqual(missingRows([ranModule("test/domain/cli/agents/some.test.ts", titles)]), rowsInTitles)
    assert.deepStrictEqual(
      missingRows([
        ranModule("test/a.test.ts", [[`${first}: is so`, "skipped"]]),
        ranModule("test/b.test.ts", titles.slice(1))
      ]),
      [first]
    )
  })

  it.each([
    ["W1 (Q13): a line", ["Q13"]],
    ["B4–B6, Q10: what", ["B4", "B5", "B6", "Q10"]],
    ["P4 P3: are", ["P4", "P3"]],
    ["H1 and more: x", []],
    ["moves B9: once", []],
    ["B9", []]
  ])("is found at the beginning of a title: %s", (title, rows) => {
    assert.deepStrictEqual(rowsOfTitle(title), rows)
  })
})
