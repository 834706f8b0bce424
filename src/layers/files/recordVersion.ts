/** The version of the schema that this leap writes. */
export const schemaVersion = 1

/** Milliseconds that a command waits for a lock. */
export const timeout = 2_000
