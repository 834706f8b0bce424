import { Effect, type Scope, Semaphore, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { errorTextOf, sqliteCode, errorCodeOf } from "../../domain/words/reading/Fields.ts"
import * as fs from "node:fs"

/** The most statements that stay compiled, by their text. */
const keptStatements = 64

export interface SqliteOptions {
  readonly file: string
  readonly readOnly: boolean
  /** Milliseconds that a call waits for another process's lock. The whole thread waits. */
  readonly timeout: number
  /** Executed first on the connection. */
  readonly pragmas: string
}

const failed = (cause: unknown, operation: string) =>
  new SqlError({
    reason: classifySqliteError(cause, {
      message: errorTextOf(cause),
      operation
    })
  })

/** SQLite's result code in an error, without its details; null for any other error. */
export const resultCode = ({ reason }: SqlError): number | null => {
  const code = sqliteCode(reason.cause)
  return code === null ? null : code & 0xff
}

const values = (params: ReadonlyArray<unknown>): Array<SQLInputValue> =>
  params.map((value) => (typeof value === "boolean" ? Number(value) : (value as SQLInputValue)))

const connectionOf = (database: DatabaseSync): Connection => {
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    const [oldest] = statements.size >= keptStatements ? statements.keys() : []
    if (oldest !== undefined) statements.delete(oldest)
    statements.set(sql, statement)
    return statement
  }
  const attempt = <A>(run: () => A, operation: string) =>
    Effect.try({ try: run, catch: (cause) => failed(cause, operation) })
  const rowsOf = (statement: StatementSync, params: ReadonlyArray<unknown>): ReadonlyArray<object> =>
    statement.all(...values(params))

  const executed =
    (statementOf: (sql: string) => StatementSync): Connection["execute"] =>
    (sql, params, transform) =>
      attempt(() => {
        const rows = rowsOf(statementOf(sql), params)
        return transform === undefined ? rows : transform(rows)
      }, "execute")
  const execute = executed(prepared)
  const executeValues: Connection["executeValues"] = (sql, params) =>
    attempt(() => rowsOf(prepared(sql), params).map((row) => Object.values(row)), "executeValues")
  return {
    execute,
    executeRaw: (sql, params) => attempt(() => prepared(sql).run(...values(params)), "executeRaw"),
    executeStream: (sql, params, transform) => Stream.fromIterableEffect(execute(sql, params, transform)),
    executeValues,
    executeValuesUnprepared: executeValues,
    executeUnprepared: executed((sql) => database.prepare(sql))
  }
}

/**
 * Effect's SQL client over Node's SQLite: one connection, with short synchronous calls. It closes with the scope;
 * uncommitted changes are rolled back.
 */
export const sqliteClient = (options: SqliteOptions): Effect.Effect<SqlClient.SqlClient, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          const opened = new DatabaseSync(options.file, {
            readOnly: options.readOnly,
            timeout: options.timeout,
            enableForeignKeyConstraints: false
          })
          try {
            opened.exec(options.pragmas)
          } catch (cause) {
            opened.close()
            throw cause
          }
          return opened
        },
        catch: (cause) => failed(cause, "connect")
      }),
      (database) => Effect.ignore(Effect.try(() => database.close()))
    )
    const connection = connectionOf(database)
    // a transaction has the connection for itself until its end
    const turn = yield* Semaphore.make(1)
    return yield* SqlClient.make({
      acquirer: Effect.succeed(connection),
      borrower: (use) => turn.withPermits(1)(use(connection)),
      transactionAcquirer: Effect.as(
        Effect.acquireRelease(turn.take(1), () => turn.release(1)),
        connection
      ),
      compiler: Statement.makeCompilerSqlite(),
      driver: "node-sqlite",
      spanAttributes: [],
      // takes the lock before the first read of the transaction
      beginTransaction: "BEGIN IMMEDIATE",
      isTransaction: () => database.isTransaction,
      onCommitFailure: () => Effect.ignore(Effect.try(() => database.exec("ROLLBACK")))
    }).pipe(Effect.provide(Reactivity.layer))
  })

/** The version of a database's schema; 0 if it has none yet. */
export const versionIn = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(sql<{ user_version: number }>`PRAGMA user_version`, ([row]) => row?.user_version ?? 0)

/** Runs these statements, all or none. */
export const runAll = (sql: SqlClient.SqlClient, statements: ReadonlyArray<string>) =>
  sql.withTransaction(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))

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
