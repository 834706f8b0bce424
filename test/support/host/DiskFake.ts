import { Context, Effect, Layer, Option } from "effect"
import type { RecordRow } from "../../../src/domain/engine/history/RecordRow.ts"
import type { AuditEntry } from "../../../src/domain/engine/approvals/AuditEntry.ts"
import type { QueueRecord } from "../../../src/domain/engine/queue/Queue.ts"
import type { Modes, SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { AuditLog } from "../../../src/services/AuditLog.ts"
import { ModesStore } from "../../../src/services/ModesStore.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { RecordStore } from "../../../src/services/RecordStore.ts"
import { PidMap } from "../../../src/services/PidMap.ts"
import { QueueStore } from "../../../src/services/QueueStore.ts"
import { SessionLock } from "../../../src/services/SessionLock.ts"
import { type ObservedSession, SessionRecords } from "../../../src/services/SessionRecords.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { pathsOf } from "./parts.ts"
import { StoreError } from "../../../src/services/StoreError.ts"

/** What on the disk can go wrong. */
export type DiskFault =
  | "directory"
  | "lock taken over"
  | "queue open"
  | "queue append"
  | "queue slow"
  | "queue compact"
  | "status write"
  | "status slow"
  | "modes"
  | "records"
  | "records hang"
  | "audit"
  | "record"

/** What a host leaves on the disk, as a test sees it, and the faults that it can put there. */
export class DiskFake extends Context.Service<
  DiskFake,
  {
    /** Faults that hold now. */
    readonly faults: Set<DiskFault>
    /** The queue's log, by its path. */
    readonly queues: Map<string, ReadonlyArray<QueueRecord>>
    /** Statuses by their paths, each with whether it was written durably. */
    readonly statuses: Map<string, { readonly status: SessionStatus; readonly durable: boolean }>
    readonly screens: Map<string, string>
    readonly modes: Map<string, Partial<Modes>>
    readonly audit: Array<AuditEntry>
    /** The record's rows of all lives, in their order. */
    readonly record: Array<RecordRow>
    readonly records: Array<ObservedSession>
    /** Locks that are held; one that a test puts here is another host's, one that it takes away has lost its file. */
    readonly locks: Set<string>
    /** Spools by the CLI processes that are registered. */
    readonly pids: Map<number, string>
    /** What was opened and closed, written for the last time and given back, in order. */
    readonly journal: Array<string>
  }
>()("test/DiskFake") {}

const why = "the disk is made to fail"
/** How long the disk takes to write something durably. */
const syncTime = "50 millis"
/** How long a slow one takes for anything else. */
const slowTime = "2 seconds"

const make = Effect.sync(() => {
  const disk: DiskFake["Service"] = {
    faults: new Set(),
    queues: new Map(),
    statuses: new Map(),
    screens: new Map(),
    modes: new Map(),
    audit: [],
    record: [],
    records: [],
    locks: new Set(),
    pids: new Map(),
    journal: []
  }
  const note = (line: string) => Effect.sync(() => void disk.journal.push(line))
  /** Fails while one of the faults holds. */
  const unless = <E>(fault: DiskFault, error: () => E): Effect.Effect<void, E> =>
    Effect.suspend(() => (disk.faults.has(fault) ? Effect.fail(error()) : Effect.void))

  const paths = Paths.of({
    state: "/state",
    config: "/config",
    sessions: "/state",
    hookScript: "/state/hooks/leap-hook.sh",
    ensureBase: Effect.void,
    kept: Effect.succeed([]),
    others: Effect.succeed([]),
    session: pathsOf,
    ensureSession: (tag) =>
      Effect.as(
        unless(
          "directory",
          () => new StoreError({ store: "directory", reason: "failed", file: pathsOf(tag).dir, why })
        ),
        pathsOf(tag)
      ),
    removeSession: () => Effect.void,
    readable: Effect.void,
    writable: Effect.void,
    // those of which a host has written a status
    tags: Effect.sync(() => [...disk.statuses.keys()].map((path) => Tag.make(path.split("/")[2]!)))
  })

  const taken = (file: string) => new StoreError({ store: "session", reason: "busy", file, why })
  const lock = SessionLock.of({
    acquire: (path) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          if (disk.locks.has(path)) return Effect.fail(taken(path))
          disk.locks.add(path)
          return Effect.as(note("lock taken"), {
            isCurrent: Effect.sync(() => disk.locks.has(path)),
            renew: Effect.andThen(
              unless("lock taken over", () => taken(path)),
              Effect.sync(() => void disk.locks.add(path))
            )
          })
        }),
        () =>
          Effect.suspend(() => {
            disk.locks.delete(path)
            return note("lock given back")
          })
      ),
    holder: (path) => Effect.sync(() => (disk.locks.has(path) ? { pid: null } : null))
  })

  const queueError = (path: string, what: string) =>
    new StoreError({ store: "queue", reason: "failed", file: path, what, why })
  const recordsAt = (path: string) => disk.queues.get(path) ?? []
  const queues = QueueStore.of({
    open: Effect.fnUntraced(function* (path) {
      yield* unless("queue open", () => queueError(path, "read"))
      yield* Effect.acquireRelease(note("queue opened"), () => note("queue closed"))
      return {
        records: recordsAt(path),
        damaged: 0,
        append: Effect.fnUntraced(function* (records) {
          yield* unless("queue append", () => queueError(path, "write"))
          if (disk.faults.has("queue slow")) yield* Effect.sleep(slowTime)
          disk.queues.set(path, [...recordsAt(path), ...records])
        }),
        compact: Effect.fnUntraced(function* (records) {
          yield* unless("queue compact", () => queueError(path, "shorten"))
          disk.queues.set(path, records)
        })
      }
    }),
    read: (path) => Effect.sync(() => recordsAt(path)),
    recover: (path) => Effect.sync(() => ({ records: recordsAt(path), problem: null })),
    damage: () => Effect.succeed(null)
  })

  const statuses = StatusStore.of({
    read: (path) => Effect.sync(() => Option.fromUndefinedOr(disk.statuses.get(path)?.status)),
    trouble: () => Effect.succeed(null),
    write: Effect.fnUntraced(function* (path, status, durable) {
      if (durable) yield* Effect.sleep(syncTime)
      else if (disk.faults.has("status slow")) yield* Effect.sleep(slowTime)
      if (disk.faults.has("status write")) return
      disk.statuses.set(path, { status, durable })
      if (durable) disk.journal.push("last status written")
    }),
    readScreen: (path) => Effect.sync(() => Option.fromUndefinedOr(disk.screens.get(path))),
    writeScreen: (path, text) =>
      Effect.sync(() => {
        if (!disk.faults.has("status write")) disk.screens.set(path, text)
      })
  })

  const changeModes = Effect.fnUntraced(function* (tag: string, all: Modes) {
    yield* unless("modes", () => new StoreError({ store: "modes", reason: "failed", file: pathsOf(tag).modes, why }))
    disk.modes.set(tag, all)
    return all
  })
  const modes = ModesStore.of({
    read: (tag) => Effect.sync(() => disk.modes.get(tag) ?? null),
    freeze: (tag, defaults) => Effect.suspend(() => changeModes(tag, { ...defaults, ...disk.modes.get(tag) })),
    change: (tag, change, defaults) =>
      Effect.suspend(() => changeModes(tag, { ...defaults, ...disk.modes.get(tag), ...change }))
  })

  const records = Layer.mock(SessionRecords, {
    record: (_tag, session) =>
      disk.faults.has("records hang")
        ? Effect.never
        : Effect.andThen(
            unless(
              "records",
              () => new StoreError({ store: "sessions", reason: "failed", file: "", what: "not recorded", why })
            ),
            Effect.sync(() => void disk.records.push(session))
          ),
    heal: ({ cwd }) => Effect.succeed(cwd),
    started: () => Effect.void,
    wordsOf: () => Effect.succeed(null)
  })

  const audit = AuditLog.of({
    append: (_tag, entry) =>
      Effect.andThen(
        unless("audit", () => new StoreError({ store: "audit", reason: "failed", file: "/state/audit", why })),
        Effect.sync(() => void disk.audit.push(entry))
      ),
    read: () => Effect.sync(() => ({ entries: disk.audit, unreadable: 0 }))
  })

  const lives = new Set<number>()
  const record = Layer.mock(RecordStore, {
    file: "/state/record.db",
    open: ({ since }) =>
      Effect.gen(function* () {
        const fail = () => new StoreError({ store: "record", reason: "full", file: "/state/record.db", why })
        yield* unless("record", fail)
        const isNew = !lives.has(since)
        lives.add(since)
        return {
          isNew,
          write: (rows) =>
            Effect.andThen(
              unless("record", fail),
              Effect.sync(() => {
                disk.record.push(...rows)
                return 0
              })
            )
        }
      }),
    upkeep: () => Effect.void
  })

  const pids = PidMap.of({
    register: ({ cliPid, spool }) =>
      Effect.acquireRelease(
        Effect.sync(() => void disk.pids.set(cliPid, spool)),
        () => Effect.sync(() => void disk.pids.delete(cliPid))
      ),
    pidsOf: (spool) => Effect.sync(() => [...disk.pids].flatMap(([pid, its]) => (its === spool ? [pid] : [])))
  })

  return Layer.mergeAll(
    record,
    records,
    Layer.succeedContext(
      Context.make(DiskFake, disk).pipe(
        Context.add(Paths, paths),
        Context.add(SessionLock, lock),
        Context.add(QueueStore, queues),
        Context.add(StatusStore, statuses),
        Context.add(ModesStore, modes),
        Context.add(AuditLog, audit),
        Context.add(PidMap, pids)
      )
    )
  )
})

/** All that a host keeps on the disk, in memory. */
export const layer = Layer.unwrap(make)
