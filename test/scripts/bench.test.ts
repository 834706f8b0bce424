import { assert, describe, it } from "@effect/vitest"
import { budgets, overBudget } from "../../scripts/bench/budget.ts"
import type { Row } from "../../scripts/bench/table.ts"

describe("the benchmark's budgets", () => {
  const what = "start to end: leap status"
  const row = (leap: number): Row => ({ what, unit: "ms", leap, base: { what: "node -e 0", value: 10 } })
  const bound = budgets["startup"]?.[what]?.ratio ?? 0
  /** Of that row alone. */
  const told = (rows: ReadonlyArray<Row>) =>
    overBudget("startup", rows).filter((line) => line.startsWith(`${what}:`) || line.includes(`${what},`))

  it("take what is within the bound, and noise beyond it", () => {
    assert.isAbove(bound, 1)
    assert.deepStrictEqual([told([row(bound * 10)]), told([row(bound * 12)])], [[], []])
  })

  it("tell of a row that is beyond its bound by more than noise, with the figures", () => {
    assert.deepStrictEqual(told([row(bound * 20)]), [
      `${what}: ${(bound * 2).toFixed(2)} times node -e 0; the bound is ${bound}`
    ])
  })

  it("tell of a bound that nothing is measured for", () => {
    assert.deepStrictEqual(told([]), [`budgets.json bounds ${what}, which startup does not measure`])
  })
})
