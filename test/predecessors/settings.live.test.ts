import { describe } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import { ids, listed, rows } from "./settings.ts"

describe("CLIs' settings, row by row", () => {
  scenarios(ids, rows, listed)
})
