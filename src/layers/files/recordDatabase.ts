import { Clock, Effect, Exit, Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as fs from "node:fs"
import * as path from "node:path"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"
import type { LifeRow } from "../../domain/engine/history/RecordRow.ts"
import type { FileLock } from "../../services/FileLock.ts"
import type { LifeWriter, RecordHealth } from "../../services/RecordStore.ts"
import { timeout, schemaVersion } from "./recordVersion.ts"
import { lifeIn, writeRows } from "./recordWriter.ts"
import { setAside, resultCode, runAll, sqliteClient, versionIn } from "./sqliteClient.ts"
import { isBusy, StoreError } from "../../services/StoreError.ts"

type Reason = StoreError["reason"]

/** A command that shows the cause, for reasons that have one. */
const mends: { readonly [R in Reason]?: (file: string) => string } = {
  busy: (file) => `fuser -v ${file}`,
  full: (file) => `df -h ${file}`,
  unwritable: (file) => `ls -ld ${file}*`
}

const failure = (file: string, reason: Reason, why: string) => {
  const mend = mends[reason]?.(file)
  return new StoreError({ store: "record", reason, file, why, ...(mend === undefined ? {} : { mend }) })
}

/** The meaning of SQLite's result codes here. */
const kinds: Readonly<Record<number, readonly [reason: Reason, why: string]>> = {
  5: ["busy", "another process holds it"],
  6: ["busy", "another process holds it"],
  8: ["unwritable", "it, or its directory, is read-only"],
  10: ["full", "the disk reports an error, or has no room for it"],
  11: ["corrupt", "its content is damaged"],
  13: ["full", "the disk is full"],
  14: ["unwritable", "its file cannot be opened, or made, in its directory"],
  23: ["unwritable", "its file may not be read"],
  26: ["corrupt", "it is no database"]
}

/** The error for SQLite's result code; `otherwise` for null and for codes that are not listed here. */
export const recordError = (file: string, code: number | null, otherwise: string): StoreError => {
  const [reason, why] = (code === null ? undefined : kinds[code & 0xff]) ?? ["failed", otherwise]
  return failure(file, reason, why)
}

const whys: Readonly<Record<string, readonly [reason: Reason, why: string]>> = {
  ENOSPC: ["full", "the disk is full"],
  EDQUOT: ["full", "your disk quota is used up"],
  EACCES: ["unwritable", "its permissions forbid it"],
  EPERM: ["unwritable", "its permissions forbid it"],
  EROFS: ["unwritable", "the file system is read-only"],
  ELOOP: ["unwritable", "it is a link"],
  EISDIR: ["unwritable", "it is a directory"],
  ENOENT: ["unwritable", "its directory is not there"]
}

/** Runs a call to the file system, and explains its failure. */
const onDisk = <A>(file: string, run: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({
    try: run,
    catch: (cause) => {
      const [reason, why] = whys[errorCodeOf(cause)] ?? ["failed", errorTextOf(cause)]
      return failure(file, reason, why)
    }
  })

/** The identity of the file behind a name; null for none. Fails if its directory cannot be read. */
export const identity = (file: string): Effect.Effect<string | null, StoreError> =>
  onDisk(file, () => {
    const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? null : `${stat.dev}:${stat.ino}`
  })

/** The failure of a record with a later schema. */
export const newer = (file: string, version: number) =>
  failure(file, "newer", `a later leap wrote it (its schema is ${version}, this leap knows ${schemaVersion})`)

/** All times are milliseconds since the epoch. A life is one run of a host. `n` numbers a life's rows in order. */
const schema = [
  `CREATE TABLE IF NOT EXISTS lives (
    id INTEGER PRIMARY KEY, tag TEXT NOT NULL, cli TEXT NOT NULL, base TEXT NOT NULL, cwd TEXT NOT NULL,
    host_pid INTEGER NOT NULL, version TEXT NOT NULL, since INTEGER NOT NULL, seen INTEGER NOT NULL, until INTEGER,
    code INTEGER, signal TEXT, session TEXT, UNIQUE (tag, since)) STRICT`,
  "CREATE INDEX IF NOT EXISTS lives_since ON lives (since)",
  "CREATE INDEX IF NOT EXISTS lives_session ON lives (session)",
  `CREATE TABLE IF NOT EXISTS intervals (
    life INTEGER NOT NULL, n INTEGER NOT NULL, state TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER,
    reason TEXT, asked TEXT, answered_by TEXT, PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS intervals_since ON intervals (since, state, until)",
  `CREATE TABLE IF NOT EXISTS turns (
    life INTEGER NOT NULL, n INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER, outcome TEXT, message TEXT,
    PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS turns_since ON turns (since, outcome)",
  `CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY, life INTEGER NOT NULL, queued INTEGER NOT NULL, typed INTEGER, submitted INTEGER,
    started INTEGER, ended INTEGER, status TEXT NOT NULL, outcome TEXT, why TEXT, length INTEGER NOT NULL,
    images INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS messages_queued ON messages (queued)",
  `CREATE TABLE IF NOT EXISTS decisions (
    life INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, verdict TEXT NOT NULL, by TEXT NOT NULL,
    told TEXT NOT NULL, rule TEXT, why TEXT, tool TEXT, what TEXT, PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS decisions_at ON decisions (at, by, verdict)",
  `CREATE TABLE IF NOT EXISTS usage (
    life INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL, model TEXT, input REAL,
    cache_read REAL, cache_write REAL, output REAL, usd REAL, estimated INTEGER NOT NULL, fresh INTEGER NOT NULL,
    context REAL, PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS usage_session ON usage (session, at)",
  "CREATE INDEX IF NOT EXISTS usage_at ON usage (at)",
  `CREATE TABLE IF NOT EXISTS notes (
    life INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT, problem TEXT,
    PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS notes_at ON notes (at)",
  `CREATE TABLE IF NOT EXISTS texts (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, life INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
    text TEXT NOT NULL) STRICT`,
  "CREATE INDEX IF NOT EXISTS texts_at ON texts (at)",
  "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content = 'texts', content_rowid = 'id')",
  `CREATE TRIGGER IF NOT EXISTS texts_added AFTER INSERT ON texts BEGIN
    INSERT INTO words (rowid, text) VALUES (new.id, new.text); END`,
  `CREATE TRIGGER IF NOT EXISTS texts_removed AFTER DELETE ON texts BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text); END`,
  `CREATE TRIGGER IF NOT EXISTS texts_changed AFTER UPDATE OF text ON texts BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO words (rowid, text) VALUES (new.id, new.text); END`,
  // when old rows were last dropped
  "CREATE TABLE IF NOT EXISTS upkeep (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT",
  "INSERT OR IGNORE INTO upkeep (id, at) VALUES (1, 0)",
  `PRAGMA user_version = ${schemaVersion}`
]

const errorOf =
  (file: string) =>
  (cause: SqlError): StoreError =>
    recordError(file, resultCode(cause), cause.message)

/**
 * Creates a missing file, since SQLite would make it readable for all; its companion files get the same mode. Only a
 * new file is opened here: closing a file that this process has locked would release the lock.
 */
const ensureFile = (file: string): void => {
  try {
    fs.closeSync(fs.openSync(file, "ax", 0o600))
    return
  } catch (cause) {
    if (errorCodeOf(cause) !== "EEXIST") throw cause
  }
  const stat = fs.lstatSync(file)
  if (!stat.isFile()) throw new Error(stat.isSymbolicLink() ? "it is a link" : "it is no file")
  if ((stat.mode & 0o077) !== 0) fs.chmodSync(file, 0o600)
}

/**
 * A host's connection. It waits neither for a lock nor for the disk: a commit syncs nothing (a power failure may cost
 * the last rows, nothing more), and another process moves the log's content into the database.
 */
const writerPragmas = `PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -512; PRAGMA trusted_schema = OFF`

/** The damaged databases that were set aside. */
export const asideOf = (file: string): ReadonlyArray<string> => {
  const prefix = `${path.basename(file)}.damaged-`
  return tryOr(() => fs.readdirSync(path.dirname(file)), [])
    .filter((name) => name.startsWith(prefix) && !/-(?:wal|shm)$/.test(name))
    .map((name) => path.join(path.dirname(file), name))
}

/** Creates what is missing. The first builds' table `usage` has no `context`, which no CREATE TABLE would add. */
const upgrade = (sql: SqlClient) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const columns = yield* sql<{ name: string }>`SELECT name FROM pragma_table_info('usage')`
      const lacksContext = columns.length > 0 && !columns.some(({ name }) => name === "context")
      yield* runAll(sql, lacksContext ? ["ALTER TABLE usage ADD COLUMN context REAL", ...schema] : schema)
    })
  )

/** A connection to the database that has this name now, upgraded to this leap's schema. */
const connect = Effect.fnUntraced(function* (file: string) {
  const fail = errorOf(file)
  yield* onDisk(file, () => ensureFile(file))
  const opened = yield* identity(file)
  // a setting that is possible only while the file is empty
  const first = yield* onDisk(file, () => (fs.statSync(file).size === 0 ? "PRAGMA auto_vacuum = INCREMENTAL;" : ""))
  // an empty log has no older rows that could come back, so it need not be synced
  const begins = (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
  const pragmas = `PRAGMA synchronous = ${begins ? "OFF" : "NORMAL"}; ${first} ${writerPragmas}`
  const sql = yield* Effect.mapError(sqliteClient({ file, readOnly: false, timeout: 0, pragmas }), fail)
  const version = yield* Effect.mapError(versionIn(sql), fail)
  if (version > schemaVersion) return yield* newer(file, version)
  if (version < schemaVersion) yield* Effect.mapError(upgrade(sql), fail)
  return { sql, opened }
})

/** The file that was found damaged, so that another one of the same name is not taken for it. */
export interface Damage {
  found: string | null
}

/** A writer, and the name under which a damaged record was set aside; null: none was. */
export interface OpenedWriter extends LifeWriter {
  readonly setAside: string | null
}

/**
 * Opens the record for a life's rows. A damaged record is set aside first, under a lock and only if it is still the
 * same file, so that only one of several hosts does it.
 */
export const openWriter = Effect.fnUntraced(function* (
  file: string,
  lock: FileLock["Service"],
  damage: Damage,
  life: LifeRow
) {
  const fail = errorOf(file)
  const scope = yield* Effect.scope
  const now = yield* Clock.currentTimeMillis
  const moved: { to: string | null } = { to: null }
  const aside = onDisk(file, () => void (moved.to = setAside(file, now)))
  /** A connection that lives as long as the writer, or is closed if it is unusable. */
  const attempt = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    return yield* connect(file).pipe(
      Effect.provideService(Scope.Scope, own),
      Effect.onError(() => Scope.close(own, Exit.void))
    )
  })
  yield* onDisk(file, () => ensureFile(file))
  const { opened, sql } = yield* Effect.scoped(
    Effect.gen(function* () {
      yield* lock.acquire(`${file}.lock`, "200 millis").pipe(
        Effect.mapError((error) => {
          if (isBusy(error)) return failure(file, "busy", "another process is opening it")
          return failure(file, error.reason === "full" ? "full" : "unwritable", error.message)
        })
      )
      if (damage.found !== null && damage.found === (yield* identity(file))) yield* aside
      damage.found = null
      return yield* Effect.catchIf(
        attempt,
        ({ reason }) => reason === "corrupt",
        () => Effect.andThen(aside, attempt)
      )
    })
  )
  const { id, isNew } = yield* Effect.mapError(sql.withTransaction(lifeIn(sql, life)), fail)
  yield* Effect.mapError(sql`PRAGMA synchronous = NORMAL`, fail)
  // the log is made with the first row; rows written to a deleted log would be lost silently
  const openedLog = yield* identity(`${file}-wal`)
  return {
    isNew,
    setAside: moved.to,
    write: Effect.fnUntraced(function* (rows, at) {
      if ((yield* identity(file)) !== opened || (yield* identity(`${file}-wal`)) !== openedLog) {
        const why = "it was deleted, or replaced, while it was open"
        return yield* failure(file, "failed", why)
      }
      const log = yield* onDisk(file, () => fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
      return yield* writeRows(sql, id, rows, at).pipe(
        Effect.as(log),
        Effect.mapError(fail),
        Effect.tapError(({ reason }) =>
          Effect.sync(() => {
            if (reason === "corrupt") damage.found = opened
          })
        )
      )
    })
  } satisfies OpenedWriter
})

/** Checks the whole record, and whether it is writable now. */
export const check = (file: string): Effect.Effect<RecordHealth | null, StoreError> =>
  Effect.flatMap(identity(file), (there) => {
    const aside = asideOf(file)
    if (there === null) return Effect.succeed(aside.length === 0 ? null : { bytes: 0, lives: 0, aside })
    return Effect.scoped(
      Effect.gen(function* () {
        const pragmas = "PRAGMA trusted_schema = OFF"
        const sql = yield* sqliteClient({ file, readOnly: false, timeout, pragmas })
        const version = yield* versionIn(sql)
        if (version > schemaVersion) return yield* newer(file, version)
        const [found] = yield* sql<{ quick_check: string }>`PRAGMA quick_check(1)`
        if (found?.quick_check !== "ok") return yield* failure(file, "corrupt", "its content is damaged")
        // takes the lock that a host takes to write
        yield* sql.withTransaction(Effect.void)
        const [count] = version === 0 ? [] : yield* sql<{ lives: number }>`SELECT count(*) AS lives FROM lives`
        const sizes = [file, `${file}-wal`].map((one) => fs.statSync(one, { throwIfNoEntry: false })?.size ?? 0)
        return { bytes: sizes.reduce((sum, size) => sum + size, 0), lives: count?.lives ?? 0, aside }
      })
    ).pipe(Effect.mapError((error) => (error._tag === "StoreError" ? error : errorOf(file)(error))))
  })
