import * as fs from "node:fs"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"

/**
 * Moves a damaged database away, its log first: a new database would take an old log beside it for its own. Returns the
 * new name.
 */
export const setAside = (file: string, at: number): string => {
  const to = `${file}.damaged-${new Date(at).toISOString().replace(/[:.]/g, "-")}`
  for (const end of ["-wal", "", "-shm"]) {
    try {
      fs.renameSync(`${file}${end}`, `${to}${end}`)
    } catch (cause) {
      if (errorCodeOf(cause) !== "ENOENT") throw cause
    }
  }
  return to
}
