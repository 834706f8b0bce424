import { Schema } from "effect"
import { MessageCause } from "../../words/session/MessageCause.ts"
import { type DeliveryCause, storedCause } from "../../words/wording/deliveryWords.ts"
import { Condition, QueuedMessage, TurnOutcome } from "../../words/session/Message.ts"

const v = Schema.Literal(1)
const id = Schema.String
const at = Schema.Finite
const why = Schema.NullOr(Schema.String)
const cause = Schema.optionalKey(MessageCause)

/** A message and how far its delivery is. `at`: milliseconds since the epoch of its last change of status. */
export const QueueEntry = Schema.Struct({
  message: QueuedMessage,
  /** The number of failed attempts to type it. */
  attempts: Schema.Int,
  /** Its bytes may be on their way: recorded before the first one is written. */
  attempting: Schema.Boolean,
  at,
  /** When the last attempt began. */
  attemptedAt: Schema.optionalKey(at)
})
export type QueueEntry = typeof QueueEntry.Type

const records = Schema.TaggedUnion({
  Accepted: { v, at, message: QueuedMessage, front: Schema.Boolean },
  Edited: { v, id, text: Schema.String },
  /** Now stands before that message, or last. */
  Moved: { v, id, before: Schema.NullOr(id) },
  Removed: { v, at, id },
  Cleared: { v, at, ids: Schema.Array(id) },
  /** The next byte written may be the message's. */
  Attempted: { v, at, id },
  /**
   * Put back unsent (`counted`: the attempt failed by itself); or, with `outcome`, put back after its turn failed,
   * before all unsent ones.
   */
  Requeued: { v, at, id, counted: Schema.Boolean, why, cause, outcome: Schema.optionalKey(TurnOutcome) },
  /** The user retries a message whose turn failed. */
  Retried: { v, at, id },
  /** The user releases a held message. */
  Released: { v, at, id },
  /** The user sends a waiting message next, without waiting for ready. */
  Forced: { v, at, id },
  /** The conditions that remain; none: it waits only for its turn. */
  Conditioned: { v, at, id, when: Schema.Array(Condition) },
  StatusChanged: {
    v,
    at,
    id,
    status: Schema.Literals(["held", "typed", "submitted", "started", "done", "failed"]),
    why,
    cause,
    outcome: Schema.optionalKey(TurnOutcome)
  },
  /** A message at the time of compaction. */
  Kept: { v, entry: QueueEntry },
  /** The whole queue, repeated after the log could not be written for a while. */
  Restated: { v, entries: Schema.Array(QueueEntry), finished: Schema.Array(QueueEntry) }
})
type Records = typeof records
// an interface, so that declarations name it instead of repeating it
export interface QueueRecordSchema extends Records {}
/** One line of the queue's log: an event of a message. `v` is the version of the format. */
export const QueueRecord: QueueRecordSchema = records
export type QueueRecord = typeof QueueRecord.Type

/** The record of a message that is held from now on. */
export const heldRecord = (id: string, at: number, cause: MessageCause | DeliveryCause) =>
  QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "held", ...storedCause(cause) })

/**
 * Unfinished messages, in the order in which they are sent (those in delivery first), and the last finished ones,
 * oldest first.
 */
export interface QueueState {
  readonly entries: ReadonlyArray<QueueEntry>
  readonly finished: ReadonlyArray<QueueEntry>
}
