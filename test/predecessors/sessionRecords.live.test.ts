import { describe } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import { ids, listed, rows } from "./sessionRecords.ts"

describe("records of sessions, row by row", () => {
  scenarios(ids, rows, listed)
})
