import { defineConfig } from "vitest/config"

const real = process.env["LEAP_REAL_CLIS"] !== undefined

export default defineConfig({
  test: {
    // Real CLIs are no part of `npm test`: `npm run test:real` installs them, and runs these files alone.
    include: real ? ["test/real/**/*.real.ts"] : ["test/**/*.test.ts"],
    // Live tests start processes; on a loaded machine one of them may take long, and none may hang for ever.
    testTimeout: real ? 300_000 : 60_000,
    hookTimeout: real ? 300_000 : 60_000,
    // The bundle that live tests run; the real CLIs' tests run the launcher's own.
    globalSetup: real ? [] : ["./test/support/bundle.ts"],
    pool: "forks",
    // Live tests mostly wait: more workers than the least of machines has cores to spare.
    maxWorkers: real ? 2 : 3,
    reporters: ["default", "./test/support/CountReporter.ts"]
  }
})
