import { Schema } from "effect"
import { problemKinds } from "./problemKinds.ts"

/** Why a message is held or failed, as data. Its text is made from this (`wording/causeWords.ts`). */
export const MessageCause = Schema.TaggedUnion({
  HeldByUser: {},
  /** A host that has ended had not begun with it. */
  LeftOver: {},
  /** The turn of a message before it failed with this problem: nothing of this message was sent. */
  BehindFailure: { problem: Schema.Literals(problemKinds) },
  /** Rules depend on the CLI's hooks, which do not call leap; `off`: what switches them off, as far as known. */
  NotWired: { off: Schema.Array(Schema.String) },
  /** Its own turn failed; `failure`: what the CLI said about it. */
  TurnFailed: { failure: Schema.String }
})
export type MessageCause = typeof MessageCause.Type
