import { Schema } from "effect"
import { QueueRecord } from "../queue/Queue.ts"

/**
 * The commands of a delivery. The answer to an `Append` is `Recorded` or `NotRecorded`: what follows from its records
 * comes only after they are on disk, or known not to be. The machine passes every `Write` to its tracker as input.
 */
export const DeliveryCommand = Schema.TaggedUnion({
  /** Hold the user's keystrokes back (`on`), or let them go to the CLI now. Interrupt keys may pass all the same. */
  HoldKeys: { on: Schema.Boolean },
  /** Write the records to the log durably: all of them, or none, with `NotRecorded` as the answer. */
  Append: { records: Schema.Array(QueueRecord) },
  /** Bytes for the CLI, as UTF-8 text. `purpose` is for logs and recordings; `text` begins a message. */
  Write: { data: Schema.String, purpose: Schema.Literals(["text", "pad", "submit", "clear", "restore", "dismiss"]) },
  /**
   * Have the CLI draw its whole screen: one that counts columns in another way than the terminal leaves text where it
   * takes the screen for empty. `Resize` follows.
   */
  Redraw: {},
  /** Show this text to the user. `recordedAs`: it is recorded too, as something of this kind. */
  Announce: { message: Schema.String, recordedAs: Schema.optionalKey(Schema.Literal("night")) }
})
export type DeliveryCommand = typeof DeliveryCommand.Type

/** The events of the queue and its log. `at`: milliseconds since the epoch. */
export const QueueEvent = Schema.TaggedUnion({
  /** An operation of the user's on the queue is durable. */
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
