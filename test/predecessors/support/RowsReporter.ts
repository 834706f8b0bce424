import { appendFileSync } from "node:fs"
import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite, Vitest } from "vitest/node"
import { rowsInTitles, rowsOfTitle } from "./providerRows.ts"

/** Its own title, and those of the groups that it is in. */
const titlesOf = (test: TestCase): ReadonlyArray<string> => {
  const titles = [test.name]
  for (let at: TestSuite | TestModule = test.parent; at.type === "suite"; at = at.parent) titles.push(at.name)
  return titles
}

/** Tests of headless CLIs are called after the rows of another table, whose sections have the same letters. */
const isOfAgents = ({ moduleId }: TestModule): boolean => /\/agents/i.test(moduleId)

/** The rows that tests of these modules show: one that passed names them. */
const shownRows = (modules: ReadonlyArray<TestModule>): ReadonlySet<string> =>
  new Set(
    modules
      .filter((module) => !isOfAgents(module))
      .flatMap((module) => [...module.children.allTests("passed")].flatMap(titlesOf).flatMap(rowsOfTitle))
  )

/** The rows that no test of these modules shows. */
export const missingRows = (modules: ReadonlyArray<TestModule>): ReadonlyArray<string> => {
  const shown = shownRows(modules)
  return rowsInTitles.filter((row) => !shown.has(row))
}

/**
 * Fails a run of all tests in which a row of the predecessor's provider scenarios was shown by no test that passed.
 * Nothing is said of a run of some. Where several runs are all tests together, `LEAP_ROWS` names the file in which
 * each whole project leaves its rows (scripts/gate.mjs).
 */
export default class RowsReporter implements Reporter {
  private vitest: Vitest | null = null
  private isWhole = false
  private readonly gather = process.env["LEAP_ROWS"]

  onInit(vitest: Vitest) {
    this.vitest = vitest
  }

  async onTestRunStart(specifications: ReadonlyArray<TestSpecification>) {
    const all = (await this.vitest?.globTestSpecifications()) ?? []
    const projects = new Set(specifications.map(({ project }) => project.name))
    this.isWhole =
      specifications.length === all.length &&
      (this.gather !== undefined || (projects.has("pure") && projects.has("live"))) &&
      this.vitest?.getGlobalTestNamePattern() === undefined
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    if (!this.isWhole) return
    if (this.gather !== undefined) {
      appendFileSync(this.gather, `${JSON.stringify([...shownRows(modules)])}\n`)
      return
    }
    const missing = missingRows(modules)
    if (missing.length === 0) return
    process.stderr.write(
      `no test that passed names these rows of the predecessor's provider scenarios: ${missing.join(", ")}\n`
    )
    process.exitCode = 1
  }
}
