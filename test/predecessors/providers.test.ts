import { describe } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import { ids, listed, rows } from "./providers.ts"

describe("CLIs' screens, usage and turns, row by row", () => {
  scenarios(ids, rows, listed)
})
