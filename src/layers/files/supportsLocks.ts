import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { lockTrouble } from "../../domain/words/reading/lockTrouble.ts"

/** Whether a new file beside this one can be locked; true if that cannot be tried. */
export const keepsLocks = (path: string): boolean => {
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
    return lockTrouble(cause) === "other"
  } finally {
    if (own !== "") fs.rmSync(own, { recursive: true, force: true })
  }
}
