import * as fs from "node:fs"
import type { LockHolder } from "../../services/SessionLock.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/** What the system's table of locks says of a file, in its own form: `… WRITE <pid> <major>:<minor>:<inode> …`. */
const writerIn = (table: string, { dev, ino }: fs.BigIntStats): number | null => {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn)
  const hex = (part: bigint) => part.toString(16).padStart(2, "0")
  const line = new RegExp(` WRITE (\\d+) ${hex(major)}:${hex(minor)}:${ino} `)
  const pid = Number(line.exec(table)?.[1] ?? 0)
  // 0: a process that this one cannot see
  return pid === 0 ? null : pid
}

/** The process that has locked the file, by the kernel's word; null where the system shows it otherwise, or not. */
const writerOf = (path: string): number | null =>
  tryOr(() => writerIn(fs.readFileSync("/proc/locks", "latin1"), fs.statSync(path, { bigint: true })), null)

/** Of what cannot be looked at nobody can say that no host has it. */
const unseen: LockHolder = { pid: null }

/**
 * Who holds a session's lock now; null where nobody does. Asks by reading: it takes nothing that two who ask would take
 * from each other, and goes through SQLite, since this process may hold the lock itself, and would lose it by closing
 * the file. SQLite is loaded by those who ask: the quick way does so for a session that recorded no end.
 */
export const lockHolder = (path: string): LockHolder | null => {
  try {
    if (fs.statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null
  } catch {
    return unseen
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
    // SQLITE_BUSY, SQLITE_CANTOPEN; a file that is no lock at all is nobody's
    const code = typeof cause === "object" && cause !== null && "errcode" in cause ? cause.errcode : 0
    return code === 5 ? { pid: writerOf(path) } : code === 14 ? unseen : null
  }
}
