import { describe } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import * as compaction from "./integration/compaction.ts"
import * as dialogs from "./integration/dialogs.ts"
import * as flows from "./integration/flows.ts"
import * as interrupts from "./integration/interrupts.ts"
import * as keys from "./integration/keys.ts"
import * as output from "./integration/output.ts"
import * as providers from "./integration/providers.ts"
import * as readiness from "./integration/readiness.ts"
import * as snapshots from "./integration/snapshots.ts"

describe("readiness", () => {
  scenarios(readiness.ids, readiness.rows, [])
})
describe("compaction", () => {
  scenarios(compaction.ids, compaction.rows, [])
})
describe("dialogs", () => {
  scenarios(dialogs.ids, dialogs.rows, dialogs.listed)
})
describe("interrupts", () => {
  scenarios(interrupts.ids, interrupts.rows, [])
})
describe("keys", () => {
  scenarios(keys.ids, keys.rows, [])
})
describe("output", () => {
  scenarios(output.ids, output.rows, [])
})
describe("whole sessions", () => {
  scenarios(flows.ids, flows.rows, flows.listed)
})
describe("what is asked", () => {
  scenarios(snapshots.ids, snapshots.rows, [])
})
describe("providers", () => {
  scenarios(providers.ids, providers.rows, providers.listed)
})
