import { Context, type Effect, Schema, type Scope } from "effect"
import type { QueueRecord } from "../domain/Queue.ts"

export class QueueStoreError extends Schema.TaggedError<QueueStoreError>()("QueueStoreError", {
  path: Schema.String,
  what: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `could not ${this.what} the queue at ${this.path}: ${this.why}`
  }
}

export interface QueueLog {
  /** Records read when it was opened, oldest first; a torn last line is left out. */
  readonly records: ReadonlyArray<QueueRecord>
  /** Lines that could not be read; they are kept beside the log, never dropped in silence. */
  readonly damaged: number
  /** Appends and fsyncs; the record is durable when this returns. */
  readonly append: (records: ReadonlyArray<QueueRecord>) => Effect.Effect<void, QueueStoreError>
  /** Replaces the log by these records, atomically (temp, fsync, rename, fsync of the directory). */
  readonly compact: (records: ReadonlyArray<QueueRecord>) => Effect.Effect<void, QueueStoreError>
}

/** The queue's log on disk: append-only NDJSON. One writer: the session's host (or `leap queue` while none lives, under its lock). */
export class QueueStore extends Context.Service<QueueStore, {
  readonly open: (path: string) => Effect.Effect<QueueLog, QueueStoreError, Scope.Scope>
  readonly read: (path: string) => Effect.Effect<ReadonlyArray<QueueRecord>, QueueStoreError>
}>()("leap/services/QueueStore") {}
