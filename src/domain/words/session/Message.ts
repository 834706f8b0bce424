import { Schema } from "effect"
import { MessageCause } from "./MessageCause.ts"

export { shortId } from "./shortId.ts"

/**
 * The receipt of a message. Each step is observed, none assumed:
 * queued (accepted, on disk) → typed (its text is in the CLI's box) → submitted (its text has left the box)
 * → started (the CLI began its turn) → done (that turn is over).
 * `held`: kept until it is released, with `why`.
 * `failed`: given up, with `why`. `removed`: taken out before it was sent, or after it failed.
 */
export const MessageStatus = Schema.Literals([
  "queued",
  "held",
  "typed",
  "submitted",
  "started",
  "done",
  "failed",
  "removed"
])
export type MessageStatus = typeof MessageStatus.Type

/** How the turn of a done message ended. */
export const TurnOutcome = Schema.Literals(["completed", "interrupted", "failed"])
export type TurnOutcome = typeof TurnOutcome.Type

/** A condition that a message waits for, apart from its turn in the queue. */
export const Condition = Schema.TaggedUnion({
  /** This time (ISO 8601). */
  At: { at: Schema.String },
  /** No background work of its session is running. */
  Background: {},
  /** The turn of another session, and all that is queued there, is over. */
  Session: { tag: Schema.String },
  /** The usage limit of its session is over. */
  Reset: {}
})
export type Condition = typeof Condition.Type

/** A message for the CLI. `queuedAt` is ISO 8601. */
export const QueuedMessage = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  images: Schema.Array(Schema.String),
  queuedAt: Schema.String,
  status: MessageStatus,
  /** Delivered as soon as the box is free, even if the session is not ready (never into a dialog). */
  force: Schema.Boolean,
  /** Why it is held, failed or waits again, or why it is done without a turn of its own; null otherwise. */
  why: Schema.NullOr(Schema.String),
  /** The same cause as data, if something depends on it. */
  cause: Schema.optionalKey(MessageCause),
  /** All conditions that it still waits for. */
  when: Schema.optionalKey(Schema.Array(Condition)),
  /** leap's own message, by which a session continues after its limit. */
  night: Schema.optionalKey(Schema.Literal(true)),
  /** How its turn ended; absent until this is observed, and if it had no turn. */
  outcome: Schema.optionalKey(TurnOutcome),
  /** In a session's status: since when it is held or given up (ISO 8601). */
  since: Schema.optionalKey(Schema.String),
  /** The agent that wrote it: the tag of its session, or `outside`; absent for the user's messages. */
  from: Schema.optionalKey(Schema.String),
  /** For an agent's message: its number in a chain of replies. */
  hops: Schema.optionalKey(Schema.Int)
})
// An interface, so that declarations name it instead of repeating it.
export interface QueuedMessage extends Schema.Schema.Type<typeof QueuedMessage> {}
