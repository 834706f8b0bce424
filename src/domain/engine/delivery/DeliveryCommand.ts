import { Schema } from "effect"
import { QueueRecord } from "../queue/Queue.ts"

/**
 * The commands of a delivery. `Recorded` or `NotRecorded` answers an `Append`. The delivery has applied its records to
 * the queue already, except `Attempted`, which waits for that answer. The tracker gets every `Write` as input.
 */
export const DeliveryCommand = Schema.TaggedUnion({
  /** Hold the user's keystrokes (`on`), or pass them to the CLI. Ctrl+C passes even while keys are held. */
  HoldKeys: { on: Schema.Boolean },
  /** Write all records to the log durably, or none; `NotRecorded` says that none was written. */
  Append: { records: Schema.Array(QueueRecord) },
  /** Bytes for the CLI, as UTF-8 text. `purpose` is for logs and recordings; `text` begins a message. */
  Write: { data: Schema.String, purpose: Schema.Literals(["text", "pad", "submit", "clear", "restore", "dismiss"]) },
  /** Makes the CLI redraw; `Resize` follows. A CLI that counts columns differently leaves stray text behind. */
  Redraw: {},
  /** Show this text to the user. `recordedAs`: also record it as this kind. */
  Announce: { message: Schema.String, recordedAs: Schema.optionalKey(Schema.Literal("night")) }
})
export type DeliveryCommand = typeof DeliveryCommand.Type

/** The events of the queue and its log. `at`: milliseconds since the epoch. */
export const QueueEvent = Schema.TaggedUnion({
  /** A queue operation of the user's is durable. */
  QueueChanged: {
    at: Schema.Finite,
    records: Schema.Array(QueueRecord),
    /** See `QueueChange`. */
    resumes: Schema.optionalKey(Schema.Literals(["one", "all"]))
  },
  /** The records of an `Append` are durable. */
  Recorded: { at: Schema.Finite, records: Schema.Array(QueueRecord) },
  /** None of the records of an `Append` is in the log. */
  NotRecorded: { at: Schema.Finite, records: Schema.Array(QueueRecord), why: Schema.String }
})
export type QueueEvent = typeof QueueEvent.Type
