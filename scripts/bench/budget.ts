import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Row } from "./table.ts"

/**
 * For each section the rows that are bounded, with the largest (for what is better when larger: the smallest) ratio
 * of leap's median to the bare one, and how far beyond it is a regression and not the machine's noise.
 */
interface Budget {
  readonly [section: string]: {
    readonly [what: string]: { readonly ratio: number; readonly least?: true }
  }
}

export const budgets = JSON.parse(readFileSync(join(import.meta.dirname, "budgets.json"), "utf8")) as Budget

/** Beyond the bound by less than this is noise: two runs of the same build differ by a tenth on two busy cores. */
const noise = 1.25

/** One line for each row of the section that is beyond its bound, or that the section does not have. */
export const overBudget = (section: string, rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  Object.entries(budgets[section] ?? {}).flatMap(([what, { least, ratio }]) => {
    const row = rows.find((row) => row.what === what)
    if (row === undefined || row.base === null)
      return [`budgets.json bounds ${what}, which ${section} does not measure`]
    const found = row.leap / row.base.value
    const beyond = least === true ? found < ratio / noise : found > ratio * noise
    return beyond
      ? [
          `${what}: ${found.toFixed(2)} times ${row.base.what}; the bound is ${ratio}${least === true ? " at least" : ""}`
        ]
      : []
  })
