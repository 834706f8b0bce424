import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { SessionBusyError, SessionLock, SessionLockError } from "../services/SessionLock.ts"

/**
 * Node has no flock; SQLite, which comes with Node, has portable kernel locks. An exclusive transaction on an empty
 * database holds one until the process ends, however it ends, so there is no stale lock to judge and no race to lose.
 */
const acquire = Effect.fn("SessionLock.acquire")(function*(path: string) {
  yield* Effect.acquireRelease(
    Effect.try({
      try: () => {
        // SQLite would make it readable for all
        fs.closeSync(fs.openSync(path, "a", 0o600))
        const db = new DatabaseSync(path, { timeout: 0 })
        try {
          db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
        } catch (cause) {
          db.close()
          throw cause
        }
        return db
      },
      catch: (cause) =>
        isBusy(cause)
          ? new SessionBusyError({ path })
          : new SessionLockError({ path, why: cause instanceof Error ? cause.message : String(cause) })
    }),
    (db) => Effect.ignore(Effect.try(() => db.close()))
  )
})

/** SQLITE_BUSY is result code 5. */
const isBusy = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "errcode" in cause && cause.errcode === 5

export const layer: Layer.Layer<SessionLock> = Layer.succeed(SessionLock, { acquire })
