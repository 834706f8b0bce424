import { Duration, Effect, Schedule, type Schema } from "effect"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { pathToFileURL } from "node:url"
import type { Edit } from "../../domain/relocation/Plan.ts"
import { RelocationFileError, RelocationFiles } from "../../services/RelocationFiles.ts"
import { BookkeepingError } from "../../services/Relocator.ts"
import { noEdits } from "./looking.ts"

/** A database of a CLI's that is there. It is opened for moments only: the CLI's own processes have it open. */
export interface Database {
  readonly rows: (sql: string, ...values: ReadonlyArray<SQLInputValue>) => ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Gives the number of rows that it changed. */
  readonly run: (sql: string, ...values: ReadonlyArray<SQLInputValue>) => number
}

/** Why a change of a database is not made: nothing of it is, then. */
export class Unchangeable extends Error {}

/** SQLite's result codes of a database that somebody else is writing to (5), or is recovering after a crash (261). */
const busy: ReadonlySet<unknown> = new Set([5, 261])
const errorCode = (cause: unknown): unknown => typeof cause === "object" && cause !== null && "errcode" in cause ? cause.errcode : null

/** A CLI's own writes take milliseconds; one that holds the database for so long hangs. */
const patience = Duration.seconds(10)
const turns = Schedule.jittered(Schedule.min([Schedule.exponential("2 millis", 1.5), Schedule.spaced("50 millis")]))

const use = <A>(path: string, begin: string, end: string, work: (database: Database) => A): A => {
  // a database that is not there is not made
  const connection = new DatabaseSync(`${pathToFileURL(path).href}?mode=rw`, { timeout: 0 })
  try {
    // what is said to be done must be so after a power failure too
    connection.exec("PRAGMA synchronous = FULL")
    connection.exec(begin)
    const result = work({
      rows: (sql, ...values) => connection.prepare(sql).all(...values),
      run: (sql, ...values) => Number(connection.prepare(sql).run(...values).changes)
    })
    connection.exec(end)
    return result
  } finally {
    // rolls back what was not committed
    connection.close()
  }
}

const inTransaction = (operation: string, begin: string, end: string) => <A>(path: string, work: (database: Database) => A): Effect.Effect<A, RelocationFileError> =>
  Effect.try({
    try: () => use(path, begin, end, work),
    catch: (cause) => {
      if (busy.has(errorCode(cause))) return new RelocationFileError({ operation, path, code: "EBUSY", why: "another program writes to it and does not come to an end" })
      return new RelocationFileError({ operation, path, code: "EDATABASE", why: cause instanceof Error ? cause.message : String(cause) })
    }
  }).pipe(Effect.retry({ while: ({ code }) => code === "EBUSY", schedule: Schedule.max([turns, Schedule.during(patience)]) }))

/** Looks into a database, which is in one state for all of the look. */
export const look = inTransaction("read", "BEGIN", "ROLLBACK")

/** Changes a database under SQLite's own lock: all of the change is made, or nothing. */
export const change = inTransaction("change", "BEGIN IMMEDIATE", "COMMIT")

/** Names of the columns of a table; none where there is no such table. */
export const columnsOf = ({ rows }: Database, table: string): ReadonlyArray<string> =>
  rows("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => String(name))

/** Carries out edits of this kind, each in one transaction. `mayBeGone`: where there is no database any more nothing is left to do. */
export const editing = <Detail extends { readonly database: string }>(
  kind: string, decode: (detail: unknown) => Effect.Effect<Detail, Schema.SchemaError>
) => (what: string, work: (database: Database, detail: Detail) => void, mayBeGone: boolean) =>
  Effect.fnUntraced(function*(edit: Edit) {
    if (edit.kind !== kind) return yield* noEdits(edit)
    const files = yield* RelocationFiles
    yield* Effect.gen(function*() {
      const detail = yield* decode(edit.detail)
      if (mayBeGone && (yield* files.stat(detail.database)) === null) return
      yield* change(detail.database, (database) => work(database, detail))
    }).pipe(Effect.mapError(({ message }) => new BookkeepingError({ what, why: message })))
  })
