import { assert, describe, it } from "@effect/vitest"
import { fanOutTable } from "../../../../src/domain/cli/headless/runReport.ts"

describe("the table of several providers", () => {
  it("has a row for each, within the terminal", () => {
    const tokens = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, total: 2, estimated: true }
    const rows = [
      {
        provider: "a",
        exitCode: 0,
        ms: 1_234,
        tokens,
        cost: { usd: 0.5, estimated: false },
        text: `${"x".repeat(99)}\nb`
      },
      { provider: "longer", exitCode: 11, ms: 60_000, tokens: null, cost: null, text: "slow down" }
    ]
    assert.deepStrictEqual(fanOutTable(rows, 70).split("\n"), [
      "PROVIDER  EXIT  TIME    TOKENS  COST     ANSWER",
      `a         0     1.2 s   ~2      $0.5000  ${"x".repeat(28)}…`,
      "longer    11    60.0 s  -       -        slow down"
    ])
  })
})
