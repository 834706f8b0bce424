import { describe } from "@effect/vitest"
import { numbered, scenarios } from "./support/scenarioTable.ts"
import * as churning from "./churning.ts"
import * as codexTurns from "./codexTurns.ts"
import * as compaction from "./compaction.ts"
import * as copilotTurns from "./copilotTurns.ts"
import * as dialogs from "./dialogs.ts"
import * as keys from "./keys.ts"
import * as screens from "./screens.ts"
import * as silence from "./silence.ts"
import * as turns from "./turns.ts"

/** The predecessor's unit tests of its state machine: every row of them, played through `leap replay`. */
const tables = [turns, silence, screens, keys, codexTurns, dialogs, compaction, churning, copilotTurns]
const ids = [...numbered("ST", 228, 1, 3), ...numbered("CH", 24, 1, 3), ...numbered("CP", 27, 1, 3)]

describe("the state machine, row by row", () => {
  scenarios(
    ids,
    tables.flatMap(({ rows }) => rows),
    tables.flatMap(({ listed }) => listed)
  )
})
