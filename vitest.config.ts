import { defineConfig } from "vitest/config"

const real = process.env["LEAP_REAL_CLIS"] !== undefined
const pure = ["demo", "domain", "invariants", "layers", "programs", "scenarios", "support"].map((folder) => `test/${folder}/**/*.test.ts`)
const live = "test/**/*.live.test.ts"

export default defineConfig({
  test: {
    // Live tests start processes; on a loaded machine one of them may take long, and none may hang for ever.
    testTimeout: real ? 300_000 : 60_000,
    hookTimeout: real ? 300_000 : 60_000,
    // The bundle that live tests run; the real CLIs' tests run the launcher's own.
    globalSetup: real ? [] : ["./test/support/bundle.ts"],
    pool: "forks",
    // Live tests mostly wait: more workers than the least of machines has cores to spare.
    maxWorkers: 3,
    reporters: ["default", "./test/support/CountReporter.ts"],
    // Real CLIs are no part of `npm test`: `npm run test:real` installs them, and runs these files alone.
    projects: real
      ? [{ extends: true, test: { name: "real", include: ["test/real/**/*.real.ts"] } }]
      : [
        // What has no state needs no process of its own for each file.
        { extends: true, test: { name: "pure", include: pure, exclude: [live], isolate: false } },
        { extends: true, test: { name: "whole", include: ["test/**/*.test.ts"], exclude: pure.map((glob) => glob.replace("*.test.ts", "!(*.live).test.ts")) } }
      ]
  }
})
