import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import LongestFirst from "./test/support/run/LongestFirst.ts"

const real = process.env["LEAP_REAL_CLIS"] !== undefined
const browser = process.env["LEAP_BROWSER"] !== undefined
const live = "test/**/*.live.test.ts"
// Live tests share a machine with what else runs there, and laws are tried on other data each time. In CI one gets a
// second go (real CLIs a third), and is named when it needed it.
const inCi = process.env["CI"] !== undefined || process.env["LEAP_CI"] !== undefined
const retry = inCi ? (real ? 2 : 1) : 0
// Live tests mostly wait: more workers than the least of machines has cores to spare; a real CLI takes more of one. What
// computes has a worker a core: behind them, or beside them in a run of its own (scripts/test.mjs).
const liveWorkers = 6
const pureWorkers = Math.max(2, availableParallelism())
const setupFiles = ["./test/support/run/assertions.ts"]

export default defineConfig({
  test: {
    // Live tests start processes; on a loaded machine one of them may take long, and none may hang for ever.
    testTimeout: real ? 300_000 : 60_000,
    hookTimeout: real ? 300_000 : 60_000,
    pool: "forks",
    // Tests run as users' Node runs leap: nothing rewrites the modules, which made what computes 1.6 times slower.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    maxWorkers: real ? 3 : liveWorkers,
    reporters: ["default", "./test/support/run/CountReporter.ts", "./test/predecessors/support/RowsReporter.ts"],
    // Real CLIs are no part of `npm test`: `npm run test:real` installs them, and runs these files alone.
    projects: real
      ? [{ extends: true, test: { name: "real", retry, include: ["test/{real,weather}/**/*.real.ts"] } }]
      : browser
      ? [
        {
          extends: true,
          test: { name: "browser", testTimeout: 180_000, retry, include: ["test/browser/**/*.browser.ts"], setupFiles, globalSetup: ["./test/support/run/bundle.ts"] }
        }
      ]
      : [
        // What has no state needs no process of its own for each file.
        { extends: true, test: { name: "pure", include: ["test/**/*.test.ts"], exclude: [live], retry, setupFiles, isolate: false, maxWorkers: pureWorkers, sequence: { groupOrder: 1 } } },
        // These start what bundle.ts builds; the real CLIs' tests run the launcher's own.
        {
          extends: true,
          test: { name: "live", include: [live], retry, setupFiles, isolate: false, globalSetup: ["./test/support/run/bundle.ts"] }
        }
      ]
  }
})
