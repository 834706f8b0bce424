import { Schema } from "effect"
import { problemKinds } from "./problemKinds.ts"

/** Why a message is held or failed, as data. `wording/causeWords.ts` makes the text. */
export const MessageCause = Schema.TaggedUnion({
  HeldByUser: {},
  /** Its host ended before it began with the message. */
  LeftOver: {},
  /** An earlier turn failed with this problem; this message waits behind it. */
  BehindFailure: { problem: Schema.Literals(problemKinds) },
  /** Rules depend on the CLI's hooks, which do not call leap; `off`: the known reasons. */
  NotWired: { off: Schema.Array(Schema.String) },
  /** A budget of the settings leaves nothing for it; null: what is used of it is not known. */
  OverBudget: { of: Schema.NullOr(Schema.Literals(["conversation", "day"])) },
  /** Its own turn failed; `failure`: the CLI's message about it. */
  TurnFailed: { failure: Schema.String }
})
export type MessageCause = typeof MessageCause.Type
