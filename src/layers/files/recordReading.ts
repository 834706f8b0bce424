import { Effect } from "effect"
import { nothingSpent } from "../../domain/cli/usage/Budget.ts"
import { errorTextOf, sqliteCode } from "../../domain/words/reading/Fields.ts"
import type { RecordedCourse } from "../../domain/engine/history/RecordedCourse.ts"
import type { LogSource } from "../../domain/engine/history/LogEntry.ts"
import type { RecordedLife, RowsKnown } from "../../domain/engine/history/RecordedLife.ts"
import type { ReportSource, Span } from "../../domain/engine/history/Report.ts"
import type { RecordQuery } from "../../services/RecordStore.ts"
import { identity, newer, recordError } from "./recordDatabase.ts"
import { afterIn, courseIn, foundIn, logIn, reportIn, spentIn, nothing, selectRecord } from "./recordReader.ts"
import type { Select } from "./select.ts"
import type { StoreError } from "../../services/StoreError.ts"

/**
 * Reads the record; `otherwise` if there is none. Readers do not use the host's writing client, because loading it
 * takes longer than reading.
 */
const reading = <A>(file: string, otherwise: A, run: (select: Select) => A): Effect.Effect<A, StoreError> =>
  Effect.flatMap(identity(file), (there) =>
    there === null
      ? Effect.succeed(otherwise)
      : Effect.flatMap(
          Effect.try({
            try: () => selectRecord(file, otherwise, run),
            catch: (cause) => recordError(file, sqliteCode(cause), errorTextOf(cause))
          }),
          (found) => ("later" in found ? Effect.fail(newer(file, found.later)) : Effect.succeed(found.value))
        )
  )

export const report = (file: string, spans: ReadonlyArray<Span>) =>
  reading(file, nothing.report, (select): ReportSource => reportIn(select, spans))

export const spent = (file: string, span: Span) =>
  reading(file, nothingSpent, (select) => spentIn(select, span)[0] ?? nothingSpent)

export const course = (file: string, from: number) =>
  reading<RecordedCourse>(file, { intervals: [], usage: [] }, (select) => courseIn(select, from))

export const log = (file: string, query: RecordQuery) =>
  reading(file, nothing.log, (select): LogSource => logIn(select, query))

export const after = (file: string, from: number, known: ReadonlyMap<string, RowsKnown>) =>
  reading<ReadonlyArray<RecordedLife>>(file, [], (select) => afterIn(select, from, known))

export const search = (file: string, query: RecordQuery, words: string) =>
  reading(file, nothing.search, (select) => foundIn(select, query, words))
