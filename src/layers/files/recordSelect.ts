import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { LogSource } from "../../domain/engine/history/LogEntry.ts"
import type { ReportSource } from "../../domain/engine/history/Report.ts"
import type { Found } from "../../services/RecordStore.ts"
import { timeout, schemaVersion } from "./recordVersion.ts"
import { type Select, selectIn } from "./select.ts"

const pragmas = "PRAGMA trusted_schema = OFF; PRAGMA cache_size = -16384"

/** A later leap wrote the record. `version`: its schema's. */
export interface LaterRecord {
  readonly later: number
}

/**
 * Reads the record without changing it; `otherwise` if there is none, or its first host is about to make it. Throws the
 * errors of the file system and of SQLite. It loads no Effect, because quick commands use it.
 */
export const selectRecord = <A>(file: string, otherwise: A, run: (select: Select) => A): A | LaterRecord => {
  if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return otherwise
  const database = new DatabaseSync(file, { readOnly: true, timeout, enableForeignKeyConstraints: false })
  try {
    database.exec(pragmas)
    const select = selectIn(database)
    const version = select<{ user_version: number }>`PRAGMA user_version`[0]?.user_version ?? 0
    if (version > schemaVersion) return { later: version }
    // builds before 0.1.0 stored the schema's version in a table, not in `user_version`
    return select`SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'`.length === 0 ? otherwise : run(select)
  } finally {
    database.close()
  }
}

/** The report, the log and the search of an empty record. */
export const nothing: {
  readonly report: ReportSource
  readonly log: LogSource
  readonly search: ReadonlyArray<Found>
} = {
  report: { lives: [], intervals: [], crossing: [], turns: [], messages: [], decisions: [], usage: [] },
  log: { lives: [], movedFrom: new Map(), turns: [], messages: [], dialogs: [], decisions: [], notes: [] },
  search: []
}
