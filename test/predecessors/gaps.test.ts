import { describe } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import { ids, rows } from "./gaps.ts"
import * as others from "./gapsOfOthers.ts"

describe("where the original answers wrong or is not tested, row by row", () => {
  scenarios(ids, [...rows, ...others.rows], [])
})
