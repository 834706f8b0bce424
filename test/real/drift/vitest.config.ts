import { defineConfig } from "vitest/config"

/** One version of one CLI: under leap, run by scripts/drift.ts, and without a terminal, by scripts/record.ts; in the box. */
export default defineConfig({
  test: {
    include: ["test/real/drift/{version,headless}.ts"],
    testTimeout: 400_000,
    hookTimeout: 400_000,
    maxWorkers: 1
  }
})
