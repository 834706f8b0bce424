import { Clock, Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as fs from "node:fs"
import { OutEvent } from "../../domain/surfaces/outgoing/OutEvent.ts"
import { openEvents } from "../../domain/surfaces/outgoing/outFold.ts"
import { Cursor } from "../../domain/surfaces/outgoing/recorded.ts"
import { SessionMemory } from "../../domain/surfaces/outgoing/SessionMemory.ts"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import type { FileLock } from "../../services/FileLock.ts"
import type { OpenOutJournal, OutReceiver } from "../../services/OutJournal.ts"
import { isMissing } from "./lookAt.ts"
import { setAside, resultCode, runAll, sqliteClient, versionIn } from "./sqliteClient.ts"
import { StoreError } from "../../services/StoreError.ts"

/**
 * All times are milliseconds since the epoch. An event's number is never reused, however many are deleted; its id
 * prevents a second row.
 */
const schema = [
  `CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, size INTEGER NOT NULL,
    body TEXT NOT NULL) STRICT`,
  `CREATE TABLE IF NOT EXISTS receivers (
    name TEXT PRIMARY KEY, sequence INTEGER NOT NULL, dropped INTEGER NOT NULL, problem TEXT, since INTEGER)
    STRICT, WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS memories (tag TEXT PRIMARY KEY, memory TEXT NOT NULL) STRICT, WITHOUT ROWID",
  // cursors: how far each recorded life was read; told_from: earlier records are not sent
  "CREATE TABLE IF NOT EXISTS cursors (life TEXT PRIMARY KEY, cursor TEXT NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE TABLE IF NOT EXISTS told_from (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT",
  `CREATE TABLE IF NOT EXISTS notes (
    receiver TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (receiver, name)) STRICT, WITHOUT ROWID`,
  "CREATE INDEX IF NOT EXISTS notes_at ON notes (at)",
  `CREATE TABLE IF NOT EXISTS state (
    id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL, seen_at INTEGER) STRICT`,
  "INSERT OR IGNORE INTO state (id, last, seen_at) VALUES (1, 0, NULL)",
  "PRAGMA user_version = 1"
]
const version = 1

/** The most events, and the most bytes of events, that are kept for a receiver that takes none. */
export interface OutBounds {
  readonly events: number
  readonly bytes: number
}
const usualBounds: OutBounds = { events: 10_000, bytes: 32 << 20 }
/** The number of events kept after every receiver has them: if the record yields them again, their ids show it. */
const keptDelivered = 1_000
const mostNotes = 5_000
/** Names of the journal's own notes: the ids of a receiver's first events, and the receiver's target. */
const openName = "open"
const placeName = "place"
/** The bounds are checked after this many events, or milliseconds. */
const boundsEvery = 100
const boundsPace = 600_000

const pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF"
/** Milliseconds that a call waits for another process's lock. */
const timeout = 2_000

/** SQLite's codes for a damaged file, and for a file that is not a database. */
const damaged: ReadonlySet<number | null> = new Set([11, 26])

const decodeEvent = Schema.decodeUnknownOption(Schema.fromJsonString(OutEvent))
const decodeMemory = Schema.decodeUnknownOption(Schema.fromJsonString(SessionMemory))

const decodeCursor = Schema.decodeUnknownOption(Schema.fromJsonString(Cursor))

const failed = (file: string, why: string) => new StoreError({ store: "out", reason: "failed", file, why })

/** Creates the file for its owner only; SQLite gives its companion files the same mode. */
const ensureFile = (file: string): void => {
  try {
    fs.closeSync(fs.openSync(file, "ax", 0o600))
  } catch (cause) {
    if (errorCodeOf(cause) !== "EEXIST") throw cause
    if (!fs.lstatSync(file).isFile()) throw new Error("it is no file", { cause })
  }
}

const onDisk = <A>(file: string, run: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({
    try: run,
    catch: (cause) => failed(file, errorTextOf(cause))
  })

const connect = Effect.fnUntraced(function* (file: string) {
  const sql = yield* sqliteClient({ file, readOnly: false, timeout, pragmas })
  const found = yield* versionIn(sql)
  if (found > version)
    return yield* failed(file, `a later leap wrote it (its version is ${found}, this leap's ${version})`)
  yield* runAll(sql, schema)
  return sql
})

/** Opens the journal for the process that holds its lock; a damaged journal is set aside. */
export const openJournal = Effect.fnUntraced(function* (
  file: string,
  lock: FileLock["Service"],
  bounds: OutBounds = usualBounds
) {
  yield* lock
    .acquire(`${file}.lock`)
    .pipe(
      Effect.mapError((error) =>
        error.reason === "busy" ? new StoreError({ ...error, store: "out", file }) : failed(file, error.why)
      )
    )
  yield* onDisk(file, () => ensureFile(file))
  const now = yield* Clock.currentTimeMillis
  const sql = yield* connect(file).pipe(
    Effect.catchIf(
      (error) => error._tag === "SqlError" && damaged.has(resultCode(error)),
      () =>
        Effect.gen(function* () {
          const to = yield* onDisk(file, () => setAside(file, now))
          yield* Effect.logWarning(`the journal of events was damaged: it is kept as ${to}, and a new one was begun`)
          yield* onDisk(file, () => ensureFile(file))
          return yield* connect(file)
        })
    ),
    Effect.mapError((error) => (error._tag === "SqlError" ? failed(file, error.message) : error))
  )
  const running = <A>(effect: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreError> =>
    Effect.mapError(sql.withTransaction(effect), (error) => failed(file, error.message))
  return journalOf(sql, running, bounds)
})

type Running = <A>(effect: Effect.Effect<A, SqlError>) => Effect.Effect<A, StoreError>

const journalOf = (sql: SqlClient, running: Running, bounds: OutBounds): OpenOutJournal => {
  /** Events since the last check of the bounds. At first the bounds may be exceeded already. */
  let sinceBounds = boundsEvery
  let boundsAt = 0
  const keepBounds = Effect.fnUntraced(function* (at: number, keptMs: number) {
    const [first] = yield* sql<{
      taken: number | null
      last: number
    }>`SELECT (SELECT min(sequence) FROM receivers) AS taken, last FROM state`
    const last = first?.last ?? 0
    yield* sql`DELETE FROM events WHERE sequence <= ${Math.min(first?.taken ?? last, last - keptDelivered)}`
    yield* sql`DELETE FROM events WHERE at < ${at - keptMs} AND sequence > ${first?.taken ?? last}`
    yield* sql`DELETE FROM events WHERE sequence <= ${last - bounds.events}`
    // with all sizes summed from the newest on, those beyond the bound
    yield* sql`DELETE FROM events WHERE sequence <= coalesce((
      SELECT sequence FROM (SELECT sequence, sum(size) OVER (ORDER BY sequence DESC) AS total FROM events)
      WHERE total > ${bounds.bytes} ORDER BY sequence DESC LIMIT 1), 0)`
    yield* sql`DELETE FROM notes WHERE at < (SELECT at FROM notes ORDER BY at DESC LIMIT 1 OFFSET ${mostNotes})`
  })
  const noteOf = (receiver: string, name: string) =>
    Effect.map(
      sql<{ value: string }>`SELECT value FROM notes WHERE receiver = ${receiver} AND name = ${name}`,
      ([row]) => row?.value ?? null
    )
  const noteDown = (receiver: string, name: string, value: string | null, at: number) =>
    Effect.asVoid(
      value === null
        ? sql`DELETE FROM notes WHERE receiver = ${receiver} AND name = ${name}`
        : sql`INSERT INTO notes (receiver, name, value, at) VALUES (${receiver}, ${name}, ${value}, ${at})
            ON CONFLICT (receiver, name) DO UPDATE SET value = excluded.value, at = excluded.at`
    )

  // ---- events from before a receiver was known that still hold: their ids, until the receiver has them
  const openNow = Effect.map(sql<{ memory: string }>`SELECT memory FROM memories ORDER BY tag`, (rows) =>
    rows.flatMap(({ memory }) => Option.match(decodeMemory(memory), { onNone: () => [], onSome: openEvents }))
  )
  const openFor = (receiver: string) =>
    Effect.map(noteOf(receiver, openName), (ids) => (ids === null ? [] : ids.split("\n")))
  const setOpen = Effect.fnUntraced(function* (receiver: string, ids: ReadonlyArray<string>) {
    yield* noteDown(receiver, openName, ids.length === 0 ? null : ids.join("\n"), yield* Clock.currentTimeMillis)
  })
  /** The first of them that still holds. Those before it are dropped. */
  const firstOpen = Effect.fnUntraced(function* (receiver: string) {
    const ids = yield* openFor(receiver)
    if (ids.length === 0) return null
    const events = new Map((yield* openNow).map((event) => [event.id, event]))
    const rest = ids.slice(
      Math.max(
        0,
        ids.findIndex((id) => events.has(id))
      )
    )
    const first = events.get(rest[0] ?? "") ?? null
    yield* setOpen(receiver, first === null ? [] : rest)
    return first
  })

  return {
    remembered: (at) =>
      running(
        Effect.gen(function* () {
          const rows = yield* sql<{ tag: string; memory: string }>`SELECT tag, memory FROM memories`
          const marks = yield* sql<{ life: string; cursor: string }>`SELECT life, cursor FROM cursors`
          const [state] = yield* sql<{ seenAt: number | null }>`SELECT seen_at AS "seenAt" FROM state`
          const seenAt = state?.seenAt ?? null
          yield* sql`INSERT OR IGNORE INTO told_from (id, at) VALUES (1, ${at})`
          const [first] = yield* sql<{ at: number }>`SELECT at FROM told_from`
          const sessions = rows.flatMap(({ memory, tag }) =>
            Option.match(decodeMemory(memory), { onNone: () => [], onSome: (known) => [[tag, known] as const] })
          )
          const cursors = marks.flatMap(({ cursor, life }) =>
            Option.match(decodeCursor(cursor), { onNone: () => [], onSome: (known) => [[life, known] as const] })
          )
          return {
            sessions: new Map(sessions),
            cursors: new Map(cursors),
            from: first?.at ?? at,
            isNew: seenAt === null
          }
        })
      ),
    append: ({ at, cursors, events, memories }, keptMs) =>
      running(
        Effect.gen(function* () {
          const [state] = yield* sql<{ last: number }>`SELECT last FROM state`
          const before = state?.last ?? 0
          let last = before
          for (const event of events) {
            const [there] = yield* sql`SELECT 1 FROM events WHERE id = ${event.id}`
            if (there !== undefined) continue
            const body = JSON.stringify(event)
            yield* sql`INSERT INTO events (sequence, id, at, size, body)
              VALUES (${++last}, ${event.id}, ${at}, ${Buffer.byteLength(body)}, ${body})`
          }
          for (const [tag, memory] of memories) {
            if (memory === null) yield* sql`DELETE FROM memories WHERE tag = ${tag}`
            else
              yield* sql`INSERT INTO memories (tag, memory) VALUES (${tag}, ${JSON.stringify(memory)})
                ON CONFLICT (tag) DO UPDATE SET memory = excluded.memory`
          }
          for (const [life, cursor] of cursors ?? []) {
            if (cursor === null) yield* sql`DELETE FROM cursors WHERE life = ${life}`
            else
              yield* sql`INSERT INTO cursors (life, cursor) VALUES (${life}, ${JSON.stringify(cursor)})
                ON CONFLICT (life) DO UPDATE SET cursor = excluded.cursor`
          }
          yield* sql`UPDATE state SET last = ${last}, seen_at = ${at}`
          sinceBounds += last - before
          if (sinceBounds >= boundsEvery || at - boundsAt >= boundsPace) {
            yield* keepBounds(at, keptMs)
            sinceBounds = 0
            boundsAt = at
          }
          return last - before
        })
      ),
    register: (names, places = new Map()) =>
      running(
        Effect.gen(function* () {
          const known = yield* sql<{ name: string }>`SELECT name FROM receivers`
          const open = (yield* openNow).map(({ id }) => id)
          for (const name of names) {
            yield* sql`INSERT OR IGNORE INTO receivers (name, sequence, dropped) SELECT ${name}, last, 0 FROM state`
            const place = places.get(name) ?? null
            const before = yield* noteOf(name, placeName)
            const isMoved = place !== null && before !== null && place !== before
            if (isMoved || known.every((one) => one.name !== name)) yield* setOpen(name, open)
            if (place !== before) yield* noteDown(name, placeName, place, yield* Clock.currentTimeMillis)
          }
          for (const { name } of known) {
            if (names.includes(name)) continue
            yield* sql`DELETE FROM receivers WHERE name = ${name}`
            yield* sql`DELETE FROM notes WHERE receiver = ${name}`
          }
        })
      ),
    next: (receiver) =>
      running(
        Effect.gen(function* () {
          const [own] = yield* sql<{ sequence: number }>`SELECT sequence FROM receivers WHERE name = ${receiver}`
          if (own === undefined) return null
          const held = yield* firstOpen(receiver)
          if (held !== null) return { entry: { sequence: own.sequence, event: held }, dropped: 0 }
          for (let from = own.sequence; ;) {
            const [row] = yield* sql<{ sequence: number; body: string }>`SELECT sequence, body FROM events
              WHERE sequence > ${from} ORDER BY sequence LIMIT 1`
            if (row === undefined) return null
            const event = decodeEvent(row.body)
            // an unreadable event is given up, like one that is too old
            if (Option.isSome(event))
              return {
                entry: { sequence: row.sequence, event: event.value },
                dropped: row.sequence - own.sequence - 1
              }
            from = row.sequence
          }
        })
      ),
    passed: (receiver, sequence, dropped) =>
      running(
        Effect.gen(function* () {
          const [own] = yield* sql<{ sequence: number }>`SELECT sequence FROM receivers WHERE name = ${receiver}`
          if (own !== undefined && sequence <= own.sequence)
            return yield* setOpen(receiver, (yield* openFor(receiver)).slice(1))
          yield* sql`UPDATE receivers SET sequence = ${sequence}, dropped = dropped + ${dropped}
            WHERE name = ${receiver}`
        })
      ),
    failing: (receiver, problem, at) =>
      running(
        sql`UPDATE receivers SET problem = ${problem}, since = ${problem === null ? null : at} WHERE name = ${receiver}`
      ).pipe(Effect.asVoid),
    note: (receiver, name) => running(noteOf(receiver, name)),
    setNote: (receiver, name, value, at) => running(noteDown(receiver, name, value, at))
  }
}

/** Each receiver's progress, readable while another process writes. */
export const readReceivers = (file: string): Effect.Effect<ReadonlyArray<OutReceiver>, StoreError> =>
  Effect.suspend(() =>
    isMissing(file) === true
      ? Effect.succeed([])
      : Effect.scoped(
          Effect.gen(function* () {
            const options = { file, readOnly: true, timeout, pragmas: "PRAGMA trusted_schema = OFF" }
            const sql = yield* sqliteClient(options)
            if ((yield* versionIn(sql)) !== version) return []
            return yield* sql<OutReceiver>`SELECT name, sequence, dropped, problem, since,
              (SELECT last FROM state) - sequence AS waiting FROM receivers ORDER BY name`
          })
        ).pipe(Effect.mapError((error) => failed(file, error.message)))
  )
