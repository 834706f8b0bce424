import { Effect, Layer, Semaphore } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { auditEntries, auditLine } from "../domain/policy/AuditLines.ts"
import { AuditLog, AuditLogError } from "../services/AuditLog.ts"
import { Paths } from "../services/Paths.ts"

/** At this size the log becomes the older log, and a new one begins. */
export const rotationSize = 8 * 1024 * 1024

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "the session's directory is not there",
  ENOSPC: "the disk is full; free some space",
  EDQUOT: "your disk quota is used up; free some space",
  EACCES: "permission denied; it and its directory must be yours",
  EPERM: "permission denied; it and its directory must be yours",
  EROFS: "the file system is read-only",
  EISDIR: "it is a directory",
  ELOOP: "it is a link",
  EIO: "the disk reports an error"
}

const codeOf = (cause: unknown): string => typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
const whyOf = (cause: unknown): string => reasons[codeOf(cause)] ?? (cause instanceof Error ? cause.message : String(cause))

const textOf = (file: string): Promise<string> =>
  fs.readFile(file, "utf8").catch((cause: unknown) => codeOf(cause) === "ENOENT" ? "" : Promise.reject(cause))

/** The log and the older one beside it. */
export const filesOf = (dir: string) => ({ log: path.join(dir, "audit.ndjson"), older: path.join(dir, "audit.1.ndjson") })

/** Appends with a single write, on a line of its own even behind one that was torn. */
const appendTo = async (dir: string, line: string, limit: number): Promise<void> => {
  const { log, older } = filesOf(dir)
  let handle = await fs.open(log, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  try {
    let { mode, size } = await handle.stat()
    if (size > 0 && size + Buffer.byteLength(line) > limit) {
      await handle.close()
      await fs.rename(log, older)
      handle = await fs.open(log, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
      ;({ mode, size } = await handle.stat())
    }
    if ((mode & 0o077) !== 0) await handle.chmod(0o600)
    const last = Buffer.alloc(1, "\n")
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    const data = Buffer.from(last[0] === 10 ? line : `\n${line}`)
    const { bytesWritten } = await handle.write(data)
    if (bytesWritten < data.length) throw new Error(`only ${bytesWritten} of ${data.length} bytes could be written; the disk may be full`)
  } finally {
    await handle.close().catch(() => {})
  }
}

/** The log in a file of each session's directory. `limit`: the size at which it is rotated. */
export const make = (limit: number) =>
  Effect.gen(function*() {
    const paths = yield* Paths
    const turn = yield* Semaphore.make(1)
    return AuditLog.of({
      append: Effect.fn("AuditLog.append")((tag, entry) => {
        const { dir } = paths.session(tag)
        return Effect.tryPromise({
          try: () => appendTo(dir, auditLine(entry), limit),
          catch: (cause) => new AuditLogError({ file: filesOf(dir).log, why: whyOf(cause) })
        }).pipe(turn.withPermits(1), Effect.uninterruptible)
      }),
      read: Effect.fn("AuditLog.read")((tag) => {
        const { log, older } = filesOf(paths.session(tag).dir)
        return Effect.tryPromise({
          // the log first: what is rotated meanwhile is read twice at worst, never missed
          try: async () => {
            const now = await textOf(log)
            const before = await textOf(older)
            return auditEntries(before === now ? now : `${before}\n${now}`)
          },
          catch: (cause) => new AuditLogError({ file: log, why: whyOf(cause) })
        })
      })
    })
  })

export const layer: Layer.Layer<AuditLog, never, Paths> = Layer.effect(AuditLog, make(rotationSize))
