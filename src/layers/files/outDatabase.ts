import { Clock, Effect, Option, Schema } from "effect"
import * as fs from "node:fs"
import { OutEvent } from "../../domain/surfaces/outgoing/OutEvent.ts"
import { openEvents } from "../../domain/surfaces/outgoing/outFold.ts"
import { Cursor } from "../../domain/surfaces/outgoing/recorded.ts"
import { SessionMemory } from "../../domain/surfaces/outgoing/SessionMemory.ts"
import { errorTextOf, sqliteCode } from "../../domain/words/reading/Fields.ts"
import type { FileLock } from "../../services/FileLock.ts"
import type { OpenOutJournal, OutReceiver } from "../../services/OutJournal.ts"
import { isMissing } from "./lookAt.ts"
import { literal, piece } from "./select.ts"
import { openSqlite, setAside, type Sqlite } from "./sqliteDatabase.ts"
import { StoreError } from "../../services/StoreError.ts"
import { createAlone } from "./fileCalls.ts"

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
const damaged: ReadonlySet<number> = new Set([11, 26])

const decodeEvent = Schema.decodeUnknownOption(Schema.fromJsonString(OutEvent))
const decodeMemory = Schema.decodeUnknownOption(Schema.fromJsonString(SessionMemory))

const decodeCursor = Schema.decodeUnknownOption(Schema.fromJsonString(Cursor))

const failed = (file: string, why: string) => new StoreError({ store: "out", reason: "failed", file, why })

/** Makes sure that there is a file, for its owner only: SQLite gives its companion files the same mode. */
const ensureFile = (file: string): void => {
  if (!createAlone(file) && !fs.lstatSync(file).isFile()) throw new Error("it is no file")
}

const onDisk = <A>(file: string, run: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({
    try: run,
    catch: (cause) => (cause instanceof StoreError ? cause : failed(file, errorTextOf(cause)))
  })

const connect = (file: string): Sqlite => {
  ensureFile(file)
  return openSqlite({ file, readOnly: false, timeout, pragmas }, ({ exec, together, version: versionIn }) => {
    const found = versionIn()
    if (found > version) throw failed(file, `a later leap wrote it (its version is ${found}, this leap's ${version})`)
    together(() => exec(schema.join(";")))
  })
}

/** A connection; a damaged journal is set aside first, under the returned name. */
const connectAnew = (file: string, now: number): { readonly database: Sqlite; readonly aside: string | null } => {
  try {
    return { database: connect(file), aside: null }
  } catch (cause) {
    if (!damaged.has((sqliteCode(cause) ?? 0) & 0xff)) throw cause
    const aside = setAside(file, now)
    return { aside, database: connect(file) }
  }
}

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
  const now = yield* Clock.currentTimeMillis
  const { aside, database } = yield* Effect.acquireRelease(
    onDisk(file, () => connectAnew(file, now)),
    ({ database }) => Effect.ignore(Effect.try(() => database.close()))
  )
  if (aside !== null)
    yield* Effect.logWarning(`the journal of events was damaged: it is kept as ${aside}, and a new one was begun`)
  return journalOf(database, file, bounds)
})

const journalOf = ({ run, select, together }: Sqlite, file: string, bounds: OutBounds): OpenOutJournal => {
  const running = <A>(run: (now: number) => A): Effect.Effect<A, StoreError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => onDisk(file, () => together(() => run(now))))
  /** Events since the last check of the bounds. At first the bounds may be exceeded already. */
  let sinceBounds = boundsEvery
  let boundsAt = 0
  const keepBounds = (at: number, keptMs: number): void => {
    const [first] = select<{
      taken: number | null
      last: number
    }>`SELECT (SELECT min(sequence) FROM receivers) AS taken, last FROM state`
    const last = first?.last ?? 0
    run(piece`DELETE FROM events WHERE sequence <= ${Math.min(first?.taken ?? last, last - keptDelivered)}`)
    run(piece`DELETE FROM events WHERE at < ${at - keptMs} AND sequence > ${first?.taken ?? last}`)
    run(piece`DELETE FROM events WHERE sequence <= ${last - bounds.events}`)
    // with all sizes summed from the newest on, those beyond the bound
    run(piece`DELETE FROM events WHERE sequence <= coalesce((
      SELECT sequence FROM (SELECT sequence, sum(size) OVER (ORDER BY sequence DESC) AS total FROM events)
      WHERE total > ${bounds.bytes} ORDER BY sequence DESC LIMIT 1), 0)`)
    run(piece`DELETE FROM notes WHERE at < (SELECT at FROM notes ORDER BY at DESC LIMIT 1 OFFSET ${mostNotes})`)
  }
  /** Sets values by their keys; null deletes one. */
  const put = (table: string, key: string, value: string, entries: Iterable<readonly [string, object | null]>) => {
    const [into, by, as] = [literal(table), literal(key), literal(value)] as const
    for (const [name, content] of entries)
      if (content === null) run(piece`DELETE FROM ${into} WHERE ${by} = ${name}`)
      else
        run(piece`INSERT INTO ${into} (${by}, ${as}) VALUES (${name}, ${JSON.stringify(content)})
          ON CONFLICT (${by}) DO UPDATE SET ${as} = excluded.${as}`)
  }
  const noteOf = (receiver: string, name: string): string | null =>
    select<{ value: string }>`SELECT value FROM notes WHERE receiver = ${receiver} AND name = ${name}`[0]?.value ?? null
  const noteDown = (receiver: string, name: string, value: string | null, at: number): void => {
    if (value === null) run(piece`DELETE FROM notes WHERE receiver = ${receiver} AND name = ${name}`)
    else
      run(piece`INSERT INTO notes (receiver, name, value, at) VALUES (${receiver}, ${name}, ${value}, ${at})
        ON CONFLICT (receiver, name) DO UPDATE SET value = excluded.value, at = excluded.at`)
  }

  // ---- events from before a receiver was known that still hold: their ids, until the receiver has them
  const openNow = () =>
    select<Stored>`SELECT tag AS name, memory AS content FROM memories ORDER BY tag`.flatMap(({ content }) =>
      Option.match(decodeMemory(content), { onNone: () => [], onSome: openEvents })
    )
  const openFor = (receiver: string): ReadonlyArray<string> => noteOf(receiver, openName)?.split("\n") ?? []
  const setOpen = (receiver: string, ids: ReadonlyArray<string>, now: number): void =>
    noteDown(receiver, openName, ids.length === 0 ? null : ids.join("\n"), now)
  /** The first of them that still holds. Those before it are dropped. */
  const firstOpen = (receiver: string, now: number) => {
    const ids = openFor(receiver)
    if (ids.length === 0) return null
    const events = new Map(openNow().map((event) => [event.id, event]))
    const at = ids.findIndex((id) => events.has(id))
    const first = events.get(ids[at] ?? "") ?? null
    setOpen(receiver, first === null ? [] : ids.slice(at), now)
    return first
  }
  const sequenceOf = (receiver: string): number | undefined =>
    select<{ sequence: number }>`SELECT sequence FROM receivers WHERE name = ${receiver}`[0]?.sequence

  return {
    remembered: (at) =>
      running(() => {
        const memories = select<Stored>`SELECT tag AS name, memory AS content FROM memories`
        const cursors = select<Stored>`SELECT life AS name, cursor AS content FROM cursors`
        const [state] = select<{ seenAt: number | null }>`SELECT seen_at AS "seenAt" FROM state`
        run(piece`INSERT OR IGNORE INTO told_from (id, at) VALUES (1, ${at})`)
        const [first] = select<{ at: number }>`SELECT at FROM told_from`
        return {
          sessions: readable(memories, decodeMemory),
          cursors: readable(cursors, decodeCursor),
          from: first?.at ?? at,
          isNew: (state?.seenAt ?? null) === null
        }
      }),
    append: ({ at, cursors, events, memories }, keptMs) =>
      running(() => {
        const before = select<{ last: number }>`SELECT last FROM state`[0]?.last ?? 0
        let last = before
        for (const event of events) {
          if (select`SELECT 1 FROM events WHERE id = ${event.id}`.length > 0) continue
          const body = JSON.stringify(event)
          run(piece`INSERT INTO events (sequence, id, at, size, body)
            VALUES (${++last}, ${event.id}, ${at}, ${Buffer.byteLength(body)}, ${body})`)
        }
        put("memories", "tag", "memory", memories)
        put("cursors", "life", "cursor", cursors ?? [])
        run(piece`UPDATE state SET last = ${last}, seen_at = ${at}`)
        sinceBounds += last - before
        if (sinceBounds >= boundsEvery || at - boundsAt >= boundsPace) {
          keepBounds(at, keptMs)
          sinceBounds = 0
          boundsAt = at
        }
        return last - before
      }),
    register: (names, places = new Map()) =>
      running((now) => {
        const known = select<{ name: string }>`SELECT name FROM receivers`.map(({ name }) => name)
        const open = openNow().map(({ id }) => id)
        for (const name of names) {
          run(piece`INSERT OR IGNORE INTO receivers (name, sequence, dropped) SELECT ${name}, last, 0 FROM state`)
          const place = places.get(name) ?? null
          const before = noteOf(name, placeName)
          const isMoved = place !== null && before !== null && place !== before
          if (isMoved || !known.includes(name)) setOpen(name, open, now)
          if (place !== before) noteDown(name, placeName, place, now)
        }
        for (const name of known) {
          if (names.includes(name)) continue
          run(piece`DELETE FROM receivers WHERE name = ${name}`)
          run(piece`DELETE FROM notes WHERE receiver = ${name}`)
        }
      }),
    next: (receiver) =>
      running((now) => {
        const own = sequenceOf(receiver)
        if (own === undefined) return null
        const held = firstOpen(receiver, now)
        if (held !== null) return { entry: { sequence: own, event: held }, dropped: 0 }
        for (let from = own; ;) {
          const [row] = select<{ sequence: number; body: string }>`SELECT sequence, body FROM events
            WHERE sequence > ${from} ORDER BY sequence LIMIT 1`
          if (row === undefined) return null
          const event = decodeEvent(row.body)
          // an unreadable event is given up, like one that is too old
          if (Option.isSome(event))
            return { entry: { sequence: row.sequence, event: event.value }, dropped: row.sequence - own - 1 }
          from = row.sequence
        }
      }),
    passed: (receiver, sequence, dropped) =>
      running((now) => {
        const own = sequenceOf(receiver)
        if (own !== undefined && sequence <= own) return setOpen(receiver, openFor(receiver).slice(1), now)
        run(piece`UPDATE receivers SET sequence = ${sequence}, dropped = dropped + ${dropped} WHERE name = ${receiver}`)
      }),
    failing: (receiver, problem, at) =>
      running(() => {
        const since = problem === null ? null : at
        run(piece`UPDATE receivers SET problem = ${problem}, since = ${since} WHERE name = ${receiver}`)
      }),
    note: (receiver, name) => running(() => noteOf(receiver, name)),
    setNote: (receiver, name, value, at) => running(() => noteDown(receiver, name, value, at))
  }
}

/** A document by its name. */
interface Stored {
  readonly name: string
  readonly content: string
}

const readable = <A>(rows: ReadonlyArray<Stored>, decode: (content: string) => Option.Option<A>) =>
  new Map(rows.flatMap(({ content, name }) => Option.toArray(decode(content)).map((known) => [name, known] as const)))

/** Each receiver's progress, readable while another process writes. */
export const readReceivers = (file: string): Effect.Effect<ReadonlyArray<OutReceiver>, StoreError> =>
  onDisk(file, () => {
    if (isMissing(file) === true) return []
    const options = { file, readOnly: true, timeout, pragmas: "PRAGMA trusted_schema = OFF" }
    const { close, select, version: versionIn } = openSqlite(options)
    try {
      if (versionIn() !== version) return []
      return select<OutReceiver>`SELECT name, sequence, dropped, problem, since,
        (SELECT last FROM state) - sequence AS waiting FROM receivers ORDER BY name`
    } finally {
      close()
    }
  })
