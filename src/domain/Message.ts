import { Schema } from "effect"

/**
 * The receipt of a message, each step seen and none assumed:
 * queued (accepted, on disk) → typed (its text is in the CLI's box) → submitted (the box let go of it)
 * → started (the CLI began its turn) → done (that turn is over).
 * `held`: kept, and sent only on the user's word (left over from a host that died, or delivery in doubt).
 * `failed`: given up, with `why`.
 */
export const MessageStatus = Schema.Literals(["queued", "held", "typed", "submitted", "started", "done", "failed"])
export type MessageStatus = typeof MessageStatus.Type

/** A message for the CLI. `queuedAt` is ISO 8601. */
export const QueuedMessage = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  images: Schema.Array(Schema.String),
  queuedAt: Schema.String,
  status: MessageStatus,
  /** Next, without waiting for ready (never into a dialog). */
  force: Schema.Boolean,
  /** Why it is held or failed, why it waits again, or what its end was that is not a turn's; null otherwise. */
  why: Schema.NullOr(Schema.String)
})
export type QueuedMessage = typeof QueuedMessage.Type
