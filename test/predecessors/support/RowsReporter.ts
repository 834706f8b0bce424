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

/** The rows that no test of these modules shows: none that passed names them. */
export const missingRows = (modules: ReadonlyArray<TestModule>): ReadonlyArray<string> => {
  const shown = new Set(
    modules
      .filter((module) => !isOfAgents(module))
      .flatMap((module) => [...module.children.allTests("passed")].flatMap(titlesOf).flatMap(rowsOfTitle))
  )
  return rowsInTitles.filter((row) => !shown.has(row))
}

/**
 * Fails a run of all tests in which a row of the predecessor's provider scenarios was shown by no test that passed.
 * Nothing is said of a run of some.
 */
export default class RowsReporter implements Reporter {
  private vitest: Vitest | null = null
  private isWhole = false

  onInit(vitest: Vitest) {
    this.vitest = vitest
  }

  async onTestRunStart(specifications: ReadonlyArray<TestSpecification>) {
    const all = (await this.vitest?.globTestSpecifications()) ?? []
    const projects = new Set(specifications.map(({ project }) => project.name))
    this.isWhole =
      specifications.length === all.length &&
      projects.has("pure") &&
      projects.has("live") &&
      this.vitest?.getGlobalTestNamePattern() === undefined
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    if (!this.isWhole) return
    const missing = missingRows(modules)
    if (missing.length === 0) return
    process.stderr.write(
      `no test that passed names these rows of the predecessor's provider scenarios: ${missing.join(", ")}\n`
    )
    process.exitCode = 1
  }
}
