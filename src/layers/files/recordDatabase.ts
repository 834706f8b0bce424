import { Clock, Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { errorCodeOf, errorTextOf, sqliteCode } from "../../domain/words/reading/Fields.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"
import type { LifeRow } from "../../domain/engine/history/RecordRow.ts"
import type { FileLock } from "../../services/FileLock.ts"
import type { LifeWriter, RecordHealth } from "../../services/RecordStore.ts"
import { timeout, schemaVersion } from "./recordVersion.ts"
import { lifeIn, writeRows } from "./recordWriter.ts"
import { openSqlite, setAside, type Sqlite } from "./sqliteDatabase.ts"
import { isBusy, StoreError } from "../../services/StoreError.ts"
import { createAlone } from "./fileCalls.ts"

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

/** Runs calls to the file system and to SQLite, and explains their failure. */
export const onDisk = <A>(file: string, run: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({
    try: run,
    catch: (cause) => {
      if (cause instanceof StoreError) return cause
      const code = sqliteCode(cause)
      const known = code === null ? whys[errorCodeOf(cause)] : kinds[code & 0xff]
      return failure(file, ...(known ?? ["failed", errorTextOf(cause)]))
    }
  })

/** The identity of the file behind a name; null for none. */
export const identityOf = (file: string): string | null => {
  const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0

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

/** Makes sure that there is a file, for the user alone: the companion files of SQLite get the same mode. */
const ensureFile = (file: string): void => {
  if (createAlone(file)) return
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
const upgrade = ({ exec, select, together }: Sqlite) =>
  together(() => {
    const columns = select<{ name: string }>`SELECT name FROM pragma_table_info('usage')`
    const lacksContext = columns.length > 0 && !columns.some(({ name }) => name === "context")
    exec([...(lacksContext ? ["ALTER TABLE usage ADD COLUMN context REAL"] : []), ...schema].join(";"))
  })

/** A connection to the database that has this name now, upgraded to this leap's schema. */
const connect = (file: string) => {
  ensureFile(file)
  const opened = identityOf(file)
  // a setting that is possible only while the file is empty
  const first = sizeOf(file) === 0 ? "PRAGMA auto_vacuum = INCREMENTAL;" : ""
  // an empty log has no older rows that could come back, so it need not be synced
  const pragmas = `PRAGMA synchronous = ${sizeOf(`${file}-wal`) === 0 ? "OFF" : "NORMAL"}; ${first} ${writerPragmas}`
  const database = openSqlite({ file, readOnly: false, timeout: 0, pragmas }, (database) => {
    const version = database.version()
    if (version > schemaVersion) throw newer(file, version)
    if (version < schemaVersion) upgrade(database)
  })
  return { database, opened }
}

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
  const now = yield* Clock.currentTimeMillis
  const moved: { to: string | null } = { to: null }
  const aside = onDisk(file, () => void (moved.to = setAside(file, now)))
  const attempt = onDisk(file, () => connect(file))
  yield* onDisk(file, () => ensureFile(file))
  const connection = Effect.scoped(
    Effect.gen(function* () {
      yield* lock.acquire(`${file}.lock`, "200 millis").pipe(
        Effect.mapError((error) => {
          if (isBusy(error)) return failure(file, "busy", "another process is opening it")
          return failure(file, error.reason === "full" ? "full" : "unwritable", error.message)
        })
      )
      if (damage.found !== null && damage.found === (yield* onDisk(file, () => identityOf(file)))) yield* aside
      damage.found = null
      return yield* Effect.catchIf(
        attempt,
        ({ reason }) => reason === "corrupt",
        () => Effect.andThen(aside, attempt)
      )
    })
  )
  const { database, opened } = yield* Effect.acquireRelease(
    connection,
    ({ database }) => Effect.ignore(Effect.try(() => database.close())),
    { interruptible: true }
  )
  const { id, isNew } = yield* onDisk(file, () => database.together(() => lifeIn(database.select, life)))
  // the log is made with the first row; rows written to a deleted log would be lost silently
  const openedLog = yield* onDisk(file, () => {
    database.exec("PRAGMA synchronous = NORMAL")
    return identityOf(`${file}-wal`)
  })
  return {
    isNew,
    setAside: moved.to,
    write: (rows, at) =>
      onDisk(file, () => {
        if (identityOf(file) !== opened || identityOf(`${file}-wal`) !== openedLog)
          throw failure(file, "failed", "it was deleted, or replaced, while it was open")
        const log = sizeOf(`${file}-wal`)
        database.together(() => writeRows(database.run, id, rows, at))
        return log
      }).pipe(
        Effect.tapError(({ reason }) =>
          Effect.sync(() => {
            if (reason === "corrupt") damage.found = opened
          })
        )
      )
  } satisfies OpenedWriter
})

/** Checks the whole record, and whether it is writable now. */
export const check = (file: string): Effect.Effect<RecordHealth | null, StoreError> =>
  onDisk(file, () => {
    const aside = asideOf(file)
    if (identityOf(file) === null) return aside.length === 0 ? null : { bytes: 0, lives: 0, aside }
    const options = { file, readOnly: false, timeout, pragmas: "PRAGMA trusted_schema = OFF" }
    const { close, select, together, version: versionIn } = openSqlite(options)
    try {
      const version = versionIn()
      if (version > schemaVersion) throw newer(file, version)
      const [found] = select<{ quick_check: string }>`PRAGMA quick_check(1)`
      if (found?.quick_check !== "ok") throw failure(file, "corrupt", "its content is damaged")
      // takes the lock that a host takes to write
      together(() => {})
      const [count] = version === 0 ? [] : select<{ lives: number }>`SELECT count(*) AS lives FROM lives`
      return { bytes: sizeOf(file) + sizeOf(`${file}-wal`), lives: count?.lives ?? 0, aside }
    } finally {
      close()
    }
  })
