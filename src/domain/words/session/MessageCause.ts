import { Schema } from "effect"
import { problemKinds } from "./problemKinds.ts"

/**
 * Why a message is kept back, or failed, where something depends on it; what is told of it follows from that
 * (`wording/causeWords.ts`).
 */
export const MessageCause = Schema.TaggedUnion({
  /** The user holds it. */
  HeldByUser: {},
  /** A host that has ended had not begun with it. */
  LeftOver: {},
  /** The turn of a message before it failed, of this: nothing of it was sent. */
  BehindFailure: { problem: Schema.Literals(problemKinds) },
  /** Rules rest on its CLI's hooks, which do not call leap; `off`: what switches them off, as far as that is known. */
  NotWired: { off: Schema.Array(Schema.String) },
  /** Its own turn failed; `failure`: what the CLI said of that. */
  TurnFailed: { failure: Schema.String }
})
export type MessageCause = typeof MessageCause.Type
