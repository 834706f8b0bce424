import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import LongestFirst from "./test/support/run/LongestFirst.ts"

const real = process.env["LEAP_REAL_CLIS"] !== undefined
const browser = process.env["LEAP_BROWSER"] !== undefined
const live = "test/**/*.live.test.ts"
const thorough = "test/**/*.thorough.test.ts"
const cores = availableParallelism()
// What computes has a worker a core. Live tests mostly wait, so they have more; a real CLI takes most of a core, and the
// pages of one file of tests all of them.
const pureWorkers = Math.max(2, cores)
const liveWorkers = Math.min(16, 3 * cores)
const setupFiles = ["./test/support/run/nonsense.ts", "./test/support/run/laws.ts", "./test/support/run/assertions.ts"]
const bundled = { setupFiles, isolate: false, globalSetup: ["./test/support/run/bundle.ts"] }

export default defineConfig({
  test: {
    // On a loaded machine a test may take long, and none may hang for ever; what it waits for has its own bound.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    // Tests run as users' Node runs leap: nothing rewrites the modules, which made what computes 1.6 times slower.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Nothing is tried again in a run: the gate runs live tests that failed once more alone, and names them.
    retry: 0,
    maxWorkers: real ? 3 : browser ? 1 : liveWorkers,
    reporters: ["default", "./test/support/run/CountReporter.ts"],
    // Real CLIs have a run of their own: `npm run thorough real` installs them, and runs these files alone.
    projects: real
      ? [{ extends: true, test: { name: "real", setupFiles, include: ["test/{real,weather}/**/*.real.ts"] } }]
      : browser
        ? [
            {
              extends: true,
              test: { ...bundled, name: "browser", include: ["test/browser/**/*.browser.ts"] }
            }
          ]
        : [
            // What has no state needs no process of its own for each file.
            {
              extends: true,
              test: {
                name: "pure",
                include: ["test/**/*.test.ts"],
                exclude: [live, thorough],
                setupFiles,
                isolate: false,
                maxWorkers: pureWorkers,
                globalSetup: ["./test/support/run/generated.ts"],
                sequence: { groupOrder: 1 }
              }
            },
            // These start what bundle.ts gives; the real CLIs' tests run the launcher's own.
            { extends: true, test: { ...bundled, name: "live", include: [live] } },
            // What depends on the clock, on chance or on other programs, or takes long: `npm run thorough`.
            {
              extends: true,
              test: {
                ...bundled,
                name: "thorough",
                include: [thorough],
                testTimeout: 300_000,
                sequence: { groupOrder: 2 }
              }
            }
          ]
  }
})
