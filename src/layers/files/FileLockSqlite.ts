import { type Duration, Effect, Layer, Schedule } from "effect"
import * as fs from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { FileLock } from "../../services/FileLock.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { lockHolder } from "./lockHolder.ts"
import { hidden, lookAt } from "./lookAt.ts"
import { demandRegular } from "./regularFile.ts"
import { keepsNo, lockTrouble } from "../../domain/words/reading/lockTrouble.ts"
import { betterPlace } from "../../domain/words/wording/noSockets.ts"
import { errorCodeOf, errorTextOf, sqliteCode } from "../../domain/words/reading/Fields.ts"
import { isBusy, StoreError } from "../../services/StoreError.ts"
import { createAlone } from "./fileCalls.ts"

/** Whether the file system of a path supports locks. The test is loaded only in case of doubt. */
const supportsLocks = (path: string): Effect.Effect<boolean> =>
  Effect.map(
    Effect.promise(() => import("./supportsLocks.ts")),
    (module) => module.supportsLocks(path)
  )

/** How often the file may be replaced during locking before the lock counts as taken. */
const replacements = 5

/**
 * Creates the file, since SQLite would make it readable for all. Only a new file is opened here: closing a file that
 * this process has locked would release the lock.
 */
const create = (path: string): void => {
  // SQLite's own error would not say what kind of file is there
  const stat = createAlone(path) ? undefined : fs.statSync(path, { throwIfNoEntry: false })
  if (stat !== undefined) demandRegular(stat)
}

/** SQLITE_NOTADB: the file has other content. */
const isNoDatabase = (cause: unknown): boolean => sqliteCode(cause) === 26
const noDatabase = "something else is in its place: remove it"

/** Identifies a file by its inode, which stays while it is open. Not all file systems report a time of birth. */
const look = (path: string) => lookAt(path, ({ dev, ino }) => `${dev}:${ino}`)

const openLocked = (path: string): DatabaseSync => {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
  } catch (cause) {
    db.close()
    throw cause
  }
  return db
}

interface Taken {
  readonly db: DatabaseSync
  readonly file: string
}

class Busy extends Error {}

/** Locks the file that has this name now, not one that was deleted during opening. */
const takeCurrent = (path: string): Taken => {
  for (let tries = 0; tries < replacements; tries++) {
    create(path)
    const before = look(path)
    const db = openLocked(path)
    if (typeof before === "string" && look(path) === before) return { db, file: before }
    db.close()
  }
  throw new Busy(path)
}

/** Short at first, because locks are held briefly; random, so that two waiting processes do not stay in step. */
const waits = Schedule.jittered(Schedule.min([Schedule.exponential("1 millis", 1.5), Schedule.spaced("20 millis")]))

/** Deletes the file, which a killed holder may have left, while it is locked: a process that has opened it retries. */
const sweep = (path: string, { file }: Taken): void => {
  if (look(path) === file) fs.rmSync(path, { force: true })
}

/**
 * Node has no flock; SQLite, which comes with Node, has portable kernel locks. An exclusive transaction on an empty
 * database holds one until the process ends, in any way, so there are no stale locks to detect and no race.
 */
const acquire = Effect.fn("FileLock.acquire")(function* (
  store: "lock" | "session",
  path: string,
  timeout: Duration.Input = 0
) {
  const failed = (reason: StoreError["reason"], why: string) => new StoreError({ store, reason, file: path, why })
  const none = () => new StoreError({ ...failed("failed", keepsNo("locks", dirname(path))), mend: betterPlace })
  const attempt = Effect.try({
    try: () => takeCurrent(path),
    catch: (cause) => {
      const trouble = lockTrouble(cause)
      if (cause instanceof Busy || trouble === "busy") return failed("busy", "another process holds it")
      const isFull = ["ENOSPC", "EDQUOT"].includes(errorCodeOf(cause))
      return trouble === "none"
        ? none()
        : failed(isFull ? "full" : "failed", isNoDatabase(cause) ? noDatabase : errorTextOf(cause))
    }
  })
  /** Tells a lock of another process from a file system without locks: SQLite reports both as busy. */
  const told = <A, R>(taking: Effect.Effect<A, StoreError, R>) =>
    Effect.catchIf(taking, isBusy, (error) =>
      Effect.flatMap(supportsLocks(path), (supported) => Effect.fail(supported ? error : none()))
    )
  const close = (taken: Taken) => Effect.ignore(Effect.try(() => taken.db.close()))
  const held = { taken: null as Taken | null }
  const take = Effect.map(attempt, (taken) => {
    const former = held.taken
    held.taken = taken
    return former
  })
  yield* Effect.acquireRelease(take, () =>
    Effect.suspend(() => {
      const { taken } = held
      if (taken === null) return Effect.void
      return Effect.andThen(
        store === "session" ? Effect.void : Effect.ignore(Effect.try(() => sweep(path, taken))),
        close(taken)
      )
    })
  ).pipe(
    Effect.retry({
      while: isBusy,
      schedule: Schedule.max([waits, Schedule.during(timeout)])
    }),
    told
  )
  return {
    // An invisible file counts as unchanged.
    isCurrent: Effect.sync(() => {
      const now = look(path)
      return held.taken !== null && (now === hidden || now === held.taken.file)
    }),
    // The file that was locked before is another one: to close it does not release the new lock.
    renew: Effect.flatMap(told(take), (former) => (former === null ? Effect.void : close(former)))
  }
})

/** Locks of any file, which end with their holder, and the lock of a session, whose file stays. */
export const layer: Layer.Layer<FileLock | SessionLock> = Layer.merge(
  Layer.succeed(FileLock, { acquire: (path, timeout) => Effect.asVoid(acquire("lock", path, timeout)) }),
  Layer.succeed(SessionLock, {
    acquire: (path) => acquire("session", path),
    holder: (path) =>
      Effect.suspend(() => {
        const holder = lockHolder(path)
        return holder?.pid === null
          ? Effect.map(supportsLocks(path), (supported) => (supported ? holder : null))
          : Effect.succeed(holder)
      })
  })
)
