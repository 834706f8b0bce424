import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { lockTrouble } from "../../domain/words/reading/lockTrouble.ts"

/**
 * Whether the file system at this path supports file locks. Takes a lock in a new directory beside it. If the test
 * itself fails for another reason, the answer is true.
 */
export const supportsLocks = (path: string): boolean => {
  let own = ""
  try {
    own = fs.mkdtempSync(`${path}.try-`)
    const database = new DatabaseSync(`${own}/lock`, { timeout: 0 })
    try {
      database.exec("BEGIN EXCLUSIVE")
    } finally {
      database.close()
    }
    return true
  } catch (cause) {
    // Nobody else knows the new file, so "busy" too means that the file system has no locks.
    return lockTrouble(cause) === "other"
  } finally {
    if (own !== "") fs.rmSync(own, { recursive: true, force: true })
  }
}
