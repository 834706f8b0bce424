import { sqliteCode } from "./Fields.ts"

/**
 * SQLite's result codes for a lock that the system refuses in principle: not permitted, not supported, or an I/O error
 * while reading, taking or releasing it.
 */
const refusals: ReadonlySet<unknown> = new Set([3, 15, 2058, 2314, 3594, 3850])

/**
 * The outcome of taking a lock, by SQLite's result code. `busy`: another process has it, or the file system has no
 * locks (ENOLCK); only a file that nobody else knows tells these apart.
 */
export const lockTrouble = (cause: unknown): "busy" | "none" | "other" => {
  const code = sqliteCode(cause)
  return code === 5 ? "busy" : refusals.has(code) ? "none" : "other"
}

export const keepsNo = (what: "locks" | "sockets", directory: string): string =>
  `the file system of ${directory} keeps no ${what}`
