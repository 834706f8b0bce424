import { describe } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import { ids, rows } from "./autoSender.ts"

describe("the auto-sender, row by row", () => {
  scenarios(ids, rows, [])
})
