import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import { errorTextOf } from "../../domain/reading/Fields.ts"
import type { RecordedCourse } from "../../domain/record/Course.ts"
import type { LogSource } from "../../domain/record/LogEntry.ts"
import type { RecordedLife, RowsKnown } from "../../domain/record/RecordedLife.ts"
import type { ReportSource, Span } from "../../domain/record/Report.ts"
import { type Found, type RecordQuery, RecordStoreError } from "../../services/RecordStore.ts"
import { identity, newer, patience, recordError } from "./recordFile.ts"
import { afterIn, courseIn, foundIn, logIn, reportIn } from "./recordReader.ts"
import { migrationsTable, schemaVersion } from "./recordVersion.ts"
import { type Select, selectIn } from "./select.ts"

const pragmas = "PRAGMA trusted_schema = OFF; PRAGMA cache_size = -16384"

const versionIn = (select: Select): number => {
  const [table] = select`SELECT 1 FROM sqlite_schema WHERE name = ${migrationsTable}`
  if (table === undefined) return 0
  const [row] = select<{ version: number | null }>`SELECT max(migration_id) AS version FROM migrations`
  return row?.version ?? 0
}

/**
 * Runs on the record as it is, without changing it; `otherwise` where there is none. What only reads does so without
 * the client that a host's rows go through: loading it is most of what it takes.
 */
const reading = <A>(file: string, otherwise: A, run: (select: Select) => A): Effect.Effect<A, RecordStoreError> =>
  Effect.flatMap(identity(file), (there) =>
    there === null
      ? Effect.succeed(otherwise)
      : Effect.try({
          try: () => {
            const database = new DatabaseSync(file, {
              readOnly: true,
              timeout: patience,
              enableForeignKeyConstraints: false
            })
            try {
              database.exec(pragmas)
              const select = selectIn(database)
              const version = versionIn(select)
              if (version > schemaVersion) throw newer(file, version)
              // its first host is about to make it
              return version === 0 ? otherwise : run(select)
            } finally {
              database.close()
            }
          },
          catch: (cause) =>
            cause instanceof RecordStoreError ? cause : recordError(file, resultCode(cause), errorTextOf(cause))
        })
  )

/** The result code of SQLite's, without its details. */
const resultCode = (cause: unknown): number | null =>
  typeof cause === "object" && cause !== null && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode & 0xff
    : null

export const report = (file: string, spans: ReadonlyArray<Span>) =>
  reading<ReportSource>(
    file,
    { lives: [], intervals: [], crossing: [], turns: [], messages: [], decisions: [], usage: [] },
    (select) => reportIn(select, spans)
  )

export const course = (file: string, from: number) =>
  reading<RecordedCourse>(file, { intervals: [], usage: [] }, (select) => courseIn(select, from))

export const log = (file: string, query: RecordQuery) =>
  reading<LogSource>(
    file,
    { lives: [], movedFrom: new Map(), turns: [], messages: [], dialogs: [], decisions: [], notes: [] },
    (select) => logIn(select, query)
  )

export const after = (file: string, from: number, known: ReadonlyMap<string, RowsKnown>) =>
  reading<ReadonlyArray<RecordedLife>>(file, [], (select) => afterIn(select, from, known))

export const search = (file: string, query: RecordQuery, words: string) =>
  reading<ReadonlyArray<Found>>(file, [], (select) => foundIn(select, query, words))
