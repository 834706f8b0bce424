import { describe } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import { ids, listed, rows } from "./inputFilter.ts"

describe("the input filter, row by row", () => {
  scenarios(ids, rows, listed)
})
