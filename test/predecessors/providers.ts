import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"
import * as screens from "./providerScreens.ts"
import * as turns from "./providerTurns.ts"
import * as usage from "./providerUsage.ts"

/**
 * The predecessor's tests of its providers, as far as they need no process: status lines, usage, prompts, screens,
 * menus.
 */
const tables = [usage, turns, screens] as const

export const ids: ReadonlyArray<string> = tables.flatMap((table) => table.ids)
export const rows: ReadonlyArray<ScenarioRow> = tables.flatMap((table) => table.rows)
export const listed: ReadonlyArray<ListedRows> = tables.flatMap((table) => table.listed)
