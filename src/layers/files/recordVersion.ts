/** The table in which the versions of the schema are noted that a database has been brought to. */
export const migrationsTable = "migrations"

/** The version of the schema that this leap writes. */
export const schemaVersion = 2

/** Milliseconds for which a command waits for a lock. */
export const patience = 2_000
