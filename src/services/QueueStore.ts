import { Context, type Effect, type Scope } from "effect"
import type { QueueRecord } from "../domain/engine/queue/Queue.ts"
import type { QueueProblem } from "../domain/words/session/Session.ts"
import type { StoreError } from "./StoreError.ts"

/** The log of one session's queue. A message is in the log before its id is returned. */
export interface QueueLog {
  /** Records read when the log was opened, oldest first; a torn last line is left out. */
  readonly records: ReadonlyArray<QueueRecord>
  /** Number of lines that could not be read; they are kept beside the log, never dropped silently. */
  readonly damaged: number
  /** Appends and fsyncs; the record is durable when this returns. */
  readonly append: (records: ReadonlyArray<QueueRecord>) => Effect.Effect<void, StoreError>
  /** Replaces the log by these records, atomically (temp, fsync, rename, fsync of the directory). */
  readonly compact: (records: ReadonlyArray<QueueRecord>) => Effect.Effect<void, StoreError>
}

/**
 * The queue's log on disk: append-only NDJSON. It has one writer: the session's host, or `leap queue` under the
 * session's lock while there is no host.
 */
export class QueueStore extends Context.Service<
  QueueStore,
  {
    readonly open: (path: string) => Effect.Effect<QueueLog, StoreError, Scope.Scope>
    readonly read: (path: string) => Effect.Effect<ReadonlyArray<QueueRecord>, StoreError>
    /** The readable records of a session without a host, and the problem of its log. */
    readonly recover: (path: string) => Effect.Effect<{
      readonly records: ReadonlyArray<QueueRecord>
      readonly problem: QueueProblem | null
    }>
    /** The problem if damaged lines were set aside; null once their file was removed. Does not read the log. */
    readonly damage: (path: string) => Effect.Effect<QueueProblem | null>
  }
>()("leap/services/QueueStore") {}
