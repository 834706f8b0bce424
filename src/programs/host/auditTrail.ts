import { Effect, Latch } from "effect"
import type { AuditEntry } from "../../domain/engine/approvals/AuditEntry.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { AuditLog } from "../../services/AuditLog.ts"
import { whenever } from "./waits.ts"

/** The interval of retries for a log that could not be written. */
const retryInterval = "3 seconds"

/**
 * Writes decisions to the audit log in order, without delaying them. `onChange` reports whether the log can be written,
 * because leap decides nothing while it cannot. Waiting entries are written as soon as possible; those that are left at
 * the end go to the host's own log. Owned by the scope.
 */
export const keepAuditTrail = Effect.fn("keepAuditTrail")(function* (
  tag: Tag,
  onChange: (isWritable: boolean) => Effect.Effect<void>
) {
  const log = yield* AuditLog
  const waiting: Array<AuditEntry> = []
  const filled = yield* Latch.make(false)
  let isWritable = true

  /** Writes the waiting entries; false if it cannot. */
  const write: Effect.Effect<boolean> = Effect.gen(function* () {
    while (true) {
      const entry = waiting[0]
      if (entry === undefined) return true
      const failure = yield* log.append(tag, entry).pipe(
        Effect.as(null),
        Effect.catch((error) => Effect.succeed(error.message))
      )
      if (failure !== null) {
        if (isWritable)
          yield* Effect.logWarning(
            `${failure}: leap decides on no permission until it can be written; you are asked instead`
          )
        return false
      }
      waiting.shift()
    }
  })
  const settle = Effect.fnUntraced(function* (now: boolean) {
    if (now === isWritable) return
    isWritable = now
    if (now) yield* Effect.logInfo("the audit log can be written again")
    yield* onChange(now)
  })

  yield* Effect.addFinalizer(() =>
    Effect.flatMap(write, (written) =>
      written
        ? Effect.void
        : Effect.forEach(waiting, (entry) => Effect.logWarning(`not in the audit log: ${JSON.stringify(entry)}`), {
            discard: true
          })
    )
  )
  const writeAll = Effect.gen(function* () {
    while (!(yield* write)) {
      yield* settle(false)
      yield* Effect.sleep(retryInterval)
    }
    yield* settle(true)
  })
  yield* whenever(filled, writeAll)

  return (entry: AuditEntry): void => {
    waiting.push(entry)
    filled.openUnsafe()
  }
})
