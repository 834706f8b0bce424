import { appendFileSync, writeSync } from "node:fs"
import { loadavg } from "node:os"
import type { Reporter, TestCase, TestModule, TestRunEndReason } from "vitest/node"
import { seed } from "./seed.ts"
import { patternOf } from "./testName.ts"

/** A test that failed, as the gate reads it: a line of JSON in the file that `LEAP_FAILURES` names. */
export interface Failure {
  readonly project: string
  /** The file, from the project's root. */
  readonly file: string
  /** The test's name with those of its suites; null where the file itself could not be run. */
  readonly test: string | null
  readonly message: string
  /** What the machine had to do at that moment: the load average of one minute. */
  readonly load: number
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** What runs tests of a project: those that need more than vitest have their own way in. */
const runners: Readonly<Record<string, string>> = {
  browser: "npx node scripts/browser.mjs",
  real: "npm run test:real --"
}

/** The command that runs a failed test alone, on the same data. */
export const again = ({ file, project, test }: Pick<Failure, "file" | "project" | "test">): string =>
  [
    `LEAP_SEED=${quoted(seed)}`,
    ...(process.env["LEAP_THOROUGH"] === "1" ? ["LEAP_THOROUGH=1"] : []),
    runners[project] ?? `npx vitest run --project ${project}`,
    quoted(file),
    ...(test === null ? [] : ["-t", quoted(patternOf(test))])
  ].join(" ")

/**
 * Ends a run with the command that repeats each failed test, and with one plain line, `N passed, N failed[, N
 * skipped]`. Where several runs make up one check, `LEAP_COUNTS` names the file that gathers their lines, and the check
 * prints the sum.
 */
export default class CountReporter implements Reporter {
  private readonly loads = new Map<string, number>()

  onTestCaseResult(test: TestCase) {
    if (test.result().state === "failed") this.loads.set(test.id, loadavg()[0] ?? 0)
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>, reason: TestRunEndReason) {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    const failures: Array<Failure> = []
    for (const module of modules) {
      const at = { project: module.project.name, file: module.relativeModuleId }
      let failedInside = 0
      for (const test of module.children.allTests()) {
        const { errors: why, state } = test.result()
        count[state] += 1
        if (state !== "failed") continue
        failedInside += 1
        const message = why?.map((error) => error.message).join("\n") ?? ""
        failures.push({ ...at, test: test.fullName, message, load: this.loads.get(test.id) ?? 0 })
      }
      // A file that could not be loaded, or whose set-up failed, has no failed test to show for it.
      if (module.state() === "failed" && failedInside === 0) {
        count.failed += 1
        failures.push({ ...at, test: null, message: module.errors()[0]?.message ?? "", load: loadavg()[0] ?? 0 })
      }
    }
    if (reason !== "passed" && count.failed === 0) count.failed = 1
    const skipped = count.skipped + count.pending
    const line = `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`
    const repeated = failures.map((failure) => `again: ${again(failure)}\n`).join("")
    const gather = process.env["LEAP_COUNTS"]
    if (gather !== undefined) appendFileSync(gather, line)
    writeSync(1, `${repeated}${gather === undefined ? line : ""}`)
    const told = process.env["LEAP_FAILURES"]
    if (told !== undefined) appendFileSync(told, failures.map((failure) => `${JSON.stringify(failure)}\n`).join(""))
  }
}
