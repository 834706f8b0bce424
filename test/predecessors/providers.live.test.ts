import { describe } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import { ids, listed, rows } from "./providerHooks.ts"

describe("CLIs' hooks and status lines, row by row", () => {
  scenarios(ids, rows, listed)
})
