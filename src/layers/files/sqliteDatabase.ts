import * as fs from "node:fs"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"
import { literal, type piece, type Select, selectIn } from "./select.ts"

export interface SqliteOptions {
  readonly file: string
  readonly readOnly: boolean
  /** Milliseconds that a call waits for another process's lock. The whole thread waits. */
  readonly timeout: number
  /** Executed first on the connection. */
  readonly pragmas: string
}

/** One connection, with short synchronous calls that throw SQLite's errors. */
export interface Sqlite {
  readonly select: Select
  /** Runs a statement without a result. */
  readonly run: (statement: ReturnType<typeof piece>) => void
  /** Runs statements of the program's own text, with ";" between them. */
  readonly exec: (statements: string) => void
  /** Runs statements in a transaction, all or none. It takes the lock before its first read. */
  readonly together: <A>(run: () => A) => A
  /** The version of the schema; 0 if there is none yet. */
  readonly version: () => number
  readonly close: () => void
}

/** Opens a database. One that `prepare` rejects is closed again. */
export const openSqlite = (
  { file, pragmas, readOnly, timeout }: SqliteOptions,
  prepare: (opened: Sqlite) => void = () => {}
): Sqlite => {
  const database = new DatabaseSync(file, { readOnly, timeout, enableForeignKeyConstraints: false })
  const select = selectIn(database)
  const opened: Sqlite = {
    select,
    run: (statement) => void select`${statement}`,
    exec: (statements) => database.exec(statements),
    together: (run) => {
      database.exec("BEGIN IMMEDIATE")
      try {
        const result = run()
        database.exec("COMMIT")
        return result
      } finally {
        if (database.isTransaction) database.exec("ROLLBACK")
      }
    },
    version: () => select<{ user_version: number }>`PRAGMA user_version`[0]?.user_version ?? 0,
    close: () => database.close()
  }
  try {
    database.exec(pragmas)
    prepare(opened)
    return opened
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** The columns and values of a new row. */
export const rowOf = (row: Readonly<Record<string, SQLInputValue>>) => {
  const columns = Object.keys(row)
  return literal(`(${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`, ...Object.values(row))
}

/**
 * Moves a damaged database away, its log first: a new database would take an old log beside it for its own. Returns the
 * new name.
 */
export const setAside = (file: string, at: number): string => {
  const to = `${file}.damaged-${new Date(at).toISOString().replace(/[:.]/g, "-")}`
  for (const end of ["-wal", "", "-shm"]) {
    try {
      fs.renameSync(`${file}${end}`, `${to}${end}`)
    } catch (cause) {
      if (errorCodeOf(cause) !== "ENOENT") throw cause
    }
  }
  return to
}
