import { Effect } from "effect"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"

/** Files below this directory cannot be locked: SQLite says what it says there, until the scope ends. */
export const withoutLocks = (dir: string, errcode: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { prototype } = DatabaseSync
      // they are called on their own objects again
      // oxlint-disable-next-line typescript/unbound-method
      const { exec, prepare } = prototype
      const refuse = (database: DatabaseSync) => {
        if (!(database.location() ?? "").startsWith(fs.realpathSync(dir))) return
        throw Object.assign(new Error("database is locked"), { errcode })
      }
      prototype.exec = function (sql) {
        refuse(this)
        return exec.call(this, sql)
      }
      prototype.prepare = function (sql) {
        refuse(this)
        return prepare.call(this, sql)
      }
      return { exec, prepare }
    }),
    (own) => Effect.sync(() => Object.assign(DatabaseSync.prototype, own))
  )
