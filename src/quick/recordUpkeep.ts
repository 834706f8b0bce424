import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { checkpointBytes } from "../domain/engine/history/checkpointBytes.ts"

/** Milliseconds that a statement waits for the lock, which hosts hold for about 1 ms. */
const timeout = 2_000
/** Milliseconds between two searches for rows beyond the limits of age and size. */
const pause = 10 * 60_000
/** The most rows that are deleted in one transaction, and in all. */
const batch = 500
const mostRows = 100_000
const mostPages = 20_000
const day = 86_400_000

/** Lives whose hosts died without recording an end; a later life has the same tag. */
const dead = `SELECT id FROM lives l WHERE until IS NULL AND seen < ?1
  AND EXISTS (SELECT 1 FROM lives WHERE tag = l.tag AND since > l.since)`

/**
 * The old rows, by table. A conversation's last old usage stays, because newer figures are computed from it. A life
 * stays while it has intervals or usage; that of a running host has its current state.
 */
const expired = {
  texts: "SELECT id FROM texts WHERE at < ?1 LIMIT ?2",
  decisions: "SELECT life, n FROM decisions WHERE at < ?1 LIMIT ?2",
  notes: "SELECT life, n FROM notes WHERE at < ?1 LIMIT ?2",
  usage: `SELECT life, n FROM usage u WHERE at < ?1 AND EXISTS
    (SELECT 1 FROM usage WHERE session = u.session AND (at > u.at OR (at = u.at AND (life, n) > (u.life, u.n)))
      AND at < ?1) LIMIT ?2`,
  messages: "SELECT id FROM messages WHERE queued < ?1 LIMIT ?2",
  turns: `SELECT life, n FROM turns WHERE since < ?1 AND (until IS NOT NULL OR life IN (${dead})) LIMIT ?2`,
  intervals: `SELECT life, n FROM intervals WHERE since < ?1
    AND (until < ?1 OR (until IS NULL AND life IN (${dead}))) LIMIT ?2`,
  lives: `SELECT id FROM lives WHERE since < ?1
    AND NOT EXISTS (SELECT 1 FROM intervals WHERE life = lives.id)
    AND NOT EXISTS (SELECT 1 FROM usage WHERE life = lives.id) LIMIT ?2`
} as const
const keys: Readonly<Record<keyof typeof expired, string>> = {
  texts: "id",
  decisions: "(life, n)",
  notes: "(life, n)",
  usage: "(life, n)",
  messages: "id",
  turns: "(life, n)",
  intervals: "(life, n)",
  lives: "id"
}

/** Deletes rows older than `before` in small batches, so that hosts can write in between. Returns their number. */
const forget = (database: DatabaseSync, before: number, most: number): number => {
  let deleted = 0
  for (const table of Object.keys(expired) as ReadonlyArray<keyof typeof expired>) {
    const statement = database.prepare(`DELETE FROM ${table} WHERE ${keys[table]} IN (${expired[table]})`)
    while (deleted < most) {
      const changes = Number(statement.run(before, batch).changes)
      deleted += changes
      if (changes < batch) break
    }
  }
  return deleted
}

const numberOf = (database: DatabaseSync, sql: string): number =>
  Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0)

const bytesIn = (database: DatabaseSync): number =>
  (numberOf(database, "PRAGMA page_count") - numberOf(database, "PRAGMA freelist_count")) *
  numberOf(database, "PRAGMA page_size")

/** The time before which the oldest twentieth of a table's rows lies; empty for an empty table. */
const twentieth = (database: DatabaseSync, table: string, column: string): ReadonlyArray<number> => {
  const offset = Math.floor(numberOf(database, `SELECT count(*) FROM ${table}`) / 20)
  const at = numberOf(database, `SELECT ${column} FROM ${table} ORDER BY ${column} LIMIT 1 OFFSET ${offset}`)
  return at === 0 ? [] : [at + 1]
}

const shrink = (database: DatabaseSync, limit: number): void => {
  for (let left = mostRows; left > 0 && bytesIn(database) > limit;) {
    const times = [...twentieth(database, "texts", "at"), ...twentieth(database, "intervals", "since")]
    const deleted = times.length === 0 ? 0 : forget(database, Math.min(...times), left)
    if (deleted === 0) return
    left -= deleted
  }
}

const isDue = (database: DatabaseSync, now: number): boolean =>
  database.prepare("UPDATE upkeep SET at = ? WHERE at <= ? OR at > ?").run(now, now - pause, now).changes === 1

const logOf = (file: string): number => fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0

/**
 * Keeps the record within its bounds: deletes old rows, checkpoints its log, and frees space. Hosts start it in a
 * separate process, so that locks and disk delays here block nobody.
 */
export const keepRecord = (file: string, days: number, megabytes: number, now: number): void => {
  // a missing record must not be created
  if (!fs.existsSync(file)) return
  const database = new DatabaseSync(file, { timeout, enableForeignKeyConstraints: false })
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 1000")
    if (isDue(database, now)) {
      forget(database, now - days * day, mostRows)
      shrink(database, megabytes * 1_000_000)
      database.exec(`PRAGMA incremental_vacuum(${mostPages})`)
    } else if (logOf(file) <= checkpointBytes) return
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    // The first write to an empty log waits for the disk, so no host should make it. An equal value writes nothing.
    database.exec("UPDATE upkeep SET at = at - 1")
  } finally {
    database.close()
  }
}

/** Runs `keepRecord` from the command line. Hosts and `leap doctor` report a failure; the next run tries again. */
export const runRecordUpkeep = ([file, days, megabytes]: ReadonlyArray<string>, now: number): void => {
  if (file === undefined || !(Number(days) > 0) || !(Number(megabytes) > 0)) return
  try {
    keepRecord(file, Number(days), Number(megabytes), now)
  } catch {
    process.exitCode = 1
  }
}
