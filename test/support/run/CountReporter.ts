import { appendFileSync } from "node:fs"
import type { Reporter, TestModule, TestRunEndReason } from "vitest/node"

/**
 * Ends a run with one plain line, `N passed, N failed[, N skipped]`. Where several runs make up one check,
 * `LEAP_COUNTS` names the file that gathers their lines, and the check prints the sum. A test that passed only when it
 * was run again is named.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>, reason: TestRunEndReason) {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      let failedInside = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state] += 1
        if (state === "failed") failedInside += 1
        if (test.diagnostic()?.flaky === true)
          process.stdout.write(`flaky: ${module.relativeModuleId}: ${test.fullName}\n`)
      }
      // A file that could not be loaded, or whose set-up failed, has no failed test to show for it.
      if (module.state() === "failed" && failedInside === 0) count.failed += 1
    }
    if (reason !== "passed" && count.failed === 0) count.failed = 1
    const skipped = count.skipped + count.pending
    const line = `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`
    const gather = process.env["LEAP_COUNTS"]
    if (gather === undefined) process.stdout.write(line)
    else appendFileSync(gather, line)
  }
}
