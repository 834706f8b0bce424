import { Duration, Effect, Schedule } from "effect"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { pathToFileURL } from "node:url"
import type { Edits } from "../../domain/store/relocation/Edits.ts"
import { editHandler, applyEdit } from "./edits.ts"
import { errorTextOf, sqliteCode } from "../../domain/words/reading/Fields.ts"
import { FileFault } from "../../services/FileFault.ts"

/** An existing database of a CLI. It is opened only briefly, because the CLI's processes have it open too. */
export interface Database {
  readonly rows: (
    sql: string,
    ...values: ReadonlyArray<SQLInputValue>
  ) => ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Returns the number of changed rows. */
  readonly run: (sql: string, ...values: ReadonlyArray<SQLInputValue>) => number
}

/** Why a database cannot be changed. The whole transaction is rolled back. */
export class Unchangeable extends Error {}

/** SQLite's codes for a database that another process writes to (5), or recovers after a crash (261). */
const busy: ReadonlySet<unknown> = new Set([5, 261])

/** A CLI's own writes take milliseconds. A process that holds the database for this long hangs. */
const busyTimeout = Duration.seconds(10)
const retryDelays = Schedule.jittered(
  Schedule.min([Schedule.exponential("2 millis", 1.5), Schedule.spaced("50 millis")])
)

const use = <A>(path: string, begin: string, end: string, work: (database: Database) => A): A => {
  // A missing database is not created.
  const connection = new DatabaseSync(`${pathToFileURL(path).href}?mode=rw`, { timeout: 0 })
  try {
    // A change that is reported as done must survive a power failure.
    connection.exec("PRAGMA synchronous = FULL")
    connection.exec(begin)
    const result = work({
      rows: (sql, ...values) => connection.prepare(sql).all(...values),
      run: (sql, ...values) => Number(connection.prepare(sql).run(...values).changes)
    })
    connection.exec(end)
    return result
  } finally {
    // Closing rolls back uncommitted changes.
    connection.close()
  }
}

const inTransaction =
  (operation: string, begin: string, end: string) =>
  <A>(path: string, work: (database: Database) => A): Effect.Effect<A, FileFault> =>
    Effect.try({
      try: () => use(path, begin, end, work),
      catch: (cause) => {
        const why = "another program writes to it and does not come to an end"
        return busy.has(sqliteCode(cause))
          ? new FileFault({ operation, path, code: "EBUSY", why })
          : new FileFault({ operation, path, code: "EDATABASE", why: errorTextOf(cause) })
      }
    }).pipe(
      Effect.retry({
        while: ({ code }) => code === "EBUSY",
        schedule: Schedule.max([retryDelays, Schedule.during(busyTimeout)])
      })
    )

/** Reads a database in one transaction, so that all queries see the same state. */
export const readOnly = inTransaction("read", "BEGIN", "ROLLBACK")

/** Changes a database in one transaction under SQLite's own lock: completely, or not at all. */
export const change = inTransaction("change", "BEGIN IMMEDIATE", "COMMIT")

/** Names of the columns of a table; none where there is no such table. */
export const columnsOf = ({ rows }: Database, table: string): ReadonlyArray<string> =>
  rows("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => String(name))

/** Applies edits of this kind, each in a transaction. `mayBeGone`: a missing database leaves nothing to do. */
export const editing =
  <Detail extends { readonly database: string }>(edits: Edits<Detail>) =>
  (what: string, work: (database: Database, detail: Detail) => void, mayBeGone: boolean) =>
    applyEdit(
      what,
      editHandler(edits, (files, detail) =>
        Effect.gen(function* () {
          if (mayBeGone && (yield* files.stat(detail.database)) === null) return
          yield* change(detail.database, (database) => work(database, detail))
        })
      )
    )
