import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Migrator from "effect/sql/Migrator"
import { migrationsTable } from "./recordVersion.ts"

/** All times are milliseconds since the epoch. A life is one host's; what happened in it has a number, in its order. */
const first = [
  `CREATE TABLE lives (
    id INTEGER PRIMARY KEY, tag TEXT NOT NULL, cli TEXT NOT NULL, base TEXT NOT NULL, cwd TEXT NOT NULL,
    host_pid INTEGER NOT NULL, version TEXT NOT NULL, since INTEGER NOT NULL, seen INTEGER NOT NULL, until INTEGER,
    code INTEGER, signal TEXT, session TEXT, UNIQUE (tag, since)) STRICT`,
  "CREATE INDEX lives_since ON lives (since)",
  "CREATE INDEX lives_session ON lives (session)",
  `CREATE TABLE intervals (
    life INTEGER NOT NULL, n INTEGER NOT NULL, state TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER,
    reason TEXT, asked TEXT, answered_by TEXT, PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX intervals_since ON intervals (since, state, until)",
  `CREATE TABLE turns (
    life INTEGER NOT NULL, n INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER, outcome TEXT, message TEXT,
    PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX turns_since ON turns (since, outcome)",
  `CREATE TABLE messages (
    id TEXT PRIMARY KEY, life INTEGER NOT NULL, queued INTEGER NOT NULL, typed INTEGER, submitted INTEGER,
    started INTEGER, ended INTEGER, status TEXT NOT NULL, outcome TEXT, why TEXT, length INTEGER NOT NULL,
    images INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  "CREATE INDEX messages_queued ON messages (queued)",
  `CREATE TABLE decisions (
    life INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, verdict TEXT NOT NULL, by TEXT NOT NULL,
    told TEXT NOT NULL, rule TEXT, why TEXT, tool TEXT, what TEXT, PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX decisions_at ON decisions (at, by, verdict)",
  `CREATE TABLE usage (
    life INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL, model TEXT, input REAL,
    cache_read REAL, cache_write REAL, output REAL, usd REAL, estimated INTEGER NOT NULL, fresh INTEGER NOT NULL,
    PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX usage_session ON usage (session, at)",
  "CREATE INDEX usage_at ON usage (at)",
  `CREATE TABLE notes (
    life INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT, problem TEXT,
    PRIMARY KEY (life, n)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX notes_at ON notes (at)",
  `CREATE TABLE texts (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, life INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
    text TEXT NOT NULL) STRICT`,
  "CREATE INDEX texts_at ON texts (at)",
  "CREATE VIRTUAL TABLE words USING fts5 (text, content = 'texts', content_rowid = 'id')",
  `CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN
    INSERT INTO words (rowid, text) VALUES (new.id, new.text); END`,
  `CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text); END`,
  `CREATE TRIGGER texts_changed AFTER UPDATE OF text ON texts BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO words (rowid, text) VALUES (new.id, new.text); END`,
  // when what is too old was last forgotten
  "CREATE TABLE upkeep (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT",
  "INSERT INTO upkeep (id, at) VALUES (1, 0)"
]

const second = ["ALTER TABLE usage ADD COLUMN context REAL"]

const run = (statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    for (const statement of statements) yield* sql.unsafe(statement)
  })

/** The changes of the schema, each of which is made once and never edited again. */
const migrations: Migrator.Loader = Migrator.fromRecord({ "1_record": run(first), "2_context": run(second) })

/** Brings a database to this schema, in one transaction. */
export const migrate = Migrator.make({})({ loader: migrations, table: migrationsTable })
