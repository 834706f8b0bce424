import { Schema } from "effect"
import { QueueRecord } from "./Queue.ts"

/**
 * What the session machine wants done. The driver runs one step's commands in order, each to its end before the next.
 * When an `Append` has ended it steps the machine with `Recorded` or `NotRecorded` before it takes any other event, and
 * runs what comes of that after the rest of the batch. So no byte of a message is written before its attempt is on disk:
 * the `Write` is the answer to `Recorded`. The machine tells its tracker of what it writes; the driver need not.
 */
export const Command = Schema.TaggedUnion({
  /** Keep the user's keystrokes back (`on`), or let them go to the CLI now. Interrupt keys may pass: the machine copes. */
  HoldKeys: { on: Schema.Boolean },
  /** Write to the log, durably: all of the records, or none and `NotRecorded`. */
  Append: { records: Schema.Array(QueueRecord) },
  /** Bytes for the CLI, as UTF-8 text. `purpose` is for logs and recordings; `text` begins a message. */
  Write: { data: Schema.String, purpose: Schema.Literals(["text", "pad", "submit", "clear", "restore"]) },
  /** Something that a person should read. */
  Announce: { message: Schema.String }
})
export type Command = typeof Command.Type

/** What the driver tells the machine besides the session's own events. */
export const QueueEvent = Schema.TaggedUnion({
  /** An operation of the user's on the queue is durable. */
  QueueChanged: { at: Schema.Finite, records: Schema.Array(QueueRecord) },
  /** The records of an `Append` are durable. */
  Recorded: { at: Schema.Finite, records: Schema.Array(QueueRecord) },
  /** None of the records of an `Append` is in the log. */
  NotRecorded: { at: Schema.Finite, records: Schema.Array(QueueRecord), why: Schema.String }
})
export type QueueEvent = typeof QueueEvent.Type
