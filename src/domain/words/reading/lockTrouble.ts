import { sqliteCode } from "./sqliteCode.ts"

/**
 * SQLite's result codes for a lock that the system refuses as such: not permitted, not kept to, or an error of reading,
 * taking or giving it back.
 */
const refusals: ReadonlySet<unknown> = new Set([3, 15, 2058, 2314, 3594, 3850])

/**
 * What came of taking a lock, by SQLite's result code. `busy` is its word for another's lock, and for a file system
 * that has none to give (ENOLCK): only a file that nobody else knows tells them apart.
 */
export const lockTrouble = (cause: unknown): "busy" | "none" | "other" => {
  const code = sqliteCode(cause)
  return code === 5 ? "busy" : refusals.has(code) ? "none" : "other"
}

/** Why no file there can be locked, or no socket bound. */
export const keepsNo = (what: "locks" | "sockets", directory: string): string =>
  `the file system of ${directory} keeps no ${what}`
