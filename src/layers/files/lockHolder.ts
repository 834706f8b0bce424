import * as fs from "node:fs"
import type { LockHolder } from "../../services/SessionLock.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/** The process in the system's table of locks for a file. Its lines are `… WRITE <pid> <major>:<minor>:<inode> …`. */
const writerIn = (table: string, { dev, ino }: fs.BigIntStats): number | null => {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn)
  const hex = (part: bigint) => part.toString(16).padStart(2, "0")
  const line = new RegExp(` WRITE (\\d+) ${hex(major)}:${hex(minor)}:${ino} `)
  const pid = Number(line.exec(table)?.[1] ?? 0)
  // 0: a process that is invisible to this one
  return pid === 0 ? null : pid
}

/** The process that has locked the file, as the kernel reports it; null: the system reports none. */
const writerOf = (path: string): number | null =>
  tryOr(() => writerIn(fs.readFileSync("/proc/locks", "latin1"), fs.statSync(path, { bigint: true })), null)

/** A lock that cannot be examined may be held by a host. */
const unseen: LockHolder = { pid: null }

/**
 * The holder of a session's lock now; null for none. It only reads, so that two callers do not disturb each other. It
 * uses SQLite, since this process may hold the lock itself, which closing the file in any other way would release. Only
 * callers load SQLite: quick commands do so for a session without a recorded end.
 */
export const lockHolder = (path: string): LockHolder | null => {
  try {
    if (fs.statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null
  } catch (cause) {
    // a link that leads to itself is no lock; one on the way to it may be another tomorrow
    const code = cause instanceof Error && "code" in cause ? cause.code : null
    const isLoop = code === "ELOOP" && tryOr(() => fs.lstatSync(path).isSymbolicLink(), false)
    return isLoop ? null : unseen
  }
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    try {
      database.prepare("SELECT 1 FROM sqlite_schema").get()
      return null
    } finally {
      database.close()
    }
  } catch (cause) {
    // SQLITE_BUSY, SQLITE_CANTOPEN; a file that is not a lock has no holder
    const code = typeof cause === "object" && cause !== null && "errcode" in cause ? cause.errcode : 0
    return code === 5 ? { pid: writerOf(path) } : code === 14 ? unseen : null
  }
}
