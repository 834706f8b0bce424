import * as fs from "node:fs"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"

/**
 * Moves a damaged database away, its log first: a new database beside a log of another would take it for its own. Gives
 * the name that it has then.
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
