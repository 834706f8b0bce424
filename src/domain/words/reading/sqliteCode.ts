/** SQLite's result code, with its details, in what was thrown; null where that is no error of SQLite's. */
export const sqliteCode = (cause: unknown): number | null =>
  typeof cause === "object" && cause !== null && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode
    : null
