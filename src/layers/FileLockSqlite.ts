import { type Duration, Effect, Layer, Schedule } from "effect"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { FileBusyError, FileLock, FileLockError } from "../services/FileLock.ts"
import { SessionBusyError, SessionLock, SessionLockError } from "../services/SessionLock.ts"

/** SQLITE_BUSY is result code 5. */
const isBusy = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "errcode" in cause && cause.errcode === 5

/** How often the file may be another one when it has been locked, before that counts as taken. */
const replacements = 5

/**
 * SQLite would make the file readable for all. Only a new file is opened here: to close one that this process has locked
 * would give the lock away.
 */
const create = (path: string): void => {
  try {
    fs.closeSync(fs.openSync(path, "ax", 0o600))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  }
}

const identity = (path: string): string | null => {
  const stat = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`
}

const take = (path: string): DatabaseSync => {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
  } catch (cause) {
    db.close()
    throw cause
  }
  return db
}

/** Takes the lock of the file that has this name, not of one that was deleted while it was opened. */
const takeCurrent = (path: string): DatabaseSync => {
  for (let tries = 0; tries < replacements; tries++) {
    create(path)
    const before = identity(path)
    const db = take(path)
    if (before !== null && identity(path) === before) return db
    db.close()
  }
  throw new FileBusyError({ path })
}

/** Short at first, for locks are held for moments; random, so that two who wait do not always meet. */
const turns = Schedule.jittered(Schedule.min([Schedule.exponential("1 millis", 1.5), Schedule.spaced("20 millis")]))

/**
 * Node has no flock; SQLite, which comes with Node, has portable kernel locks. An exclusive transaction on an empty
 * database holds one until the process ends, however it ends, so there is no stale lock to judge and no race to lose.
 */
const acquire = Effect.fn("FileLock.acquire")(function*(path: string, patience: Duration.Input = 0) {
  const attempt = Effect.try({
    try: () => takeCurrent(path),
    catch: (cause) =>
      cause instanceof FileBusyError || isBusy(cause)
        ? new FileBusyError({ path })
        : new FileLockError({ path, why: cause instanceof Error ? cause.message : String(cause) })
  })
  yield* Effect.acquireRelease(attempt, (db) => Effect.ignore(Effect.try(() => db.close()))).pipe(
    Effect.retry({ while: (error) => error._tag === "FileBusyError", schedule: Schedule.max([turns, Schedule.during(patience)]) })
  )
})

/** Any file's lock, and the lock by which one host owns a session. */
export const layer: Layer.Layer<FileLock | SessionLock> = Layer.merge(
  Layer.succeed(FileLock, { acquire }),
  Layer.succeed(SessionLock, {
    acquire: (path) =>
      acquire(path).pipe(Effect.mapError((error) =>
        error._tag === "FileBusyError" ? new SessionBusyError({ path }) : new SessionLockError({ path, why: error.why })))
  })
)
