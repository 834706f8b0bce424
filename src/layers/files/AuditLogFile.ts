import { Effect, Layer, Semaphore } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import { auditLine } from "../../domain/engine/approvals/AuditLines.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { AuditLog } from "../../services/AuditLog.ts"
import { Paths } from "../../services/Paths.ts"
import { auditFilesOf as filesOf } from "./leapPaths.ts"
import { call, fileReasons, orAbsent, orNull } from "./fileCalls.ts"
import { readRegular } from "./regularFile.ts"
import { StoreError } from "../../services/StoreError.ts"
import { FileFault } from "../../services/FileFault.ts"

/** The size in bytes at which the log is renamed to the older log, and a new one begins. */
export const rotationSize = 8 * 1024 * 1024

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants

/** No link is followed, since it may lead to entries of another's making; the system reports one by the code ELOOP. */
const failed =
  (file: string) =>
  ({ code, why }: FileFault) =>
    new StoreError({
      store: "audit",
      reason: "failed",
      file,
      why: code === "ELOOP" ? "it is a link" : (fileReasons[code] ?? why)
    })

const textOf = (file: string) =>
  orAbsent(
    Effect.map(
      call(() => readRegular(file, "refused")),
      (content) => content.toString("utf8")
    ),
    ""
  ).pipe(Effect.mapError(failed(file)))

/** Appends with a single write, after ending a torn line before it. */
const appendTo = Effect.fnUntraced(function* (dir: string, line: string, limit: number) {
  const { log, older } = filesOf(dir)
  const before = yield* orNull(call(() => fs.lstat(log)))
  if (before?.isFile() === true && before.size > 0 && before.size + Buffer.byteLength(line) > limit)
    yield* call(() => fs.rename(log, older))
  const handle = yield* call(() => fs.open(log, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600))
  yield* Effect.gen(function* () {
    const { mode, size } = yield* call(() => handle.stat())
    if ((mode & 0o077) !== 0) yield* call(() => handle.chmod(0o600))
    const last = Buffer.alloc(1, "\n")
    if (size > 0) yield* call(() => handle.read(last, 0, 1, size - 1))
    const data = Buffer.from(last[0] === 10 ? line : `\n${line}`)
    const { bytesWritten } = yield* call(() => handle.write(data))
    if (bytesWritten < data.length) {
      const why = `only ${bytesWritten} of ${data.length} bytes could be written; the disk may be full`
      return yield* new FileFault({ code: "", why })
    }
  }).pipe(Effect.ensuring(orNull(call(() => handle.close()))))
})

/** The log as a file in each session's directory. `limit`: the size at which it is rotated. */
export const make = (limit: number) =>
  Effect.gen(function* () {
    const paths = yield* Paths
    const mutex = yield* Semaphore.make(1)
    const read = (tag: Tag) => {
      const { log, older } = filesOf(paths.session(tag).dir)
      return Effect.gen(function* () {
        // The current log is read first: an entry that is rotated meanwhile may be read twice, but is never missed.
        const current = yield* textOf(log)
        const rotated = yield* textOf(older)
        const { auditIn } = yield* Effect.promise(() => import("./auditReader.ts"))
        return auditIn(current, rotated)
      })
    }
    return AuditLog.of({
      append: Effect.fn("AuditLog.append")((tag, entry) => {
        const { dir } = paths.session(tag)
        return appendTo(dir, auditLine(entry), limit).pipe(
          Effect.mapError(failed(filesOf(dir).log)),
          mutex.withPermits(1),
          Effect.uninterruptible
        )
      }),
      read: Effect.fn("AuditLog.read")(read)
    })
  })

export const layer: Layer.Layer<AuditLog, never, Paths> = Layer.effect(AuditLog, make(rotationSize))
