import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { Changes } from "../domain/store/worktrees/Changes.ts"
import { Call } from "../domain/surfaces/operations/calls.ts"
import { FeedEvent } from "../domain/words/session/Feed.ts"

const tags = Schema.Array(Schema.String)

/** What a list of sessions can have done with some of them. The outcome is a line for the user. */
export const ListCommand = Schema.TaggedUnion({
  Do: { tags, call: Call },
  Forget: { tags, force: Schema.Boolean },
  Resume: { tags }
})
export type ListCommand = typeof ListCommand.Type

/** A line for the user. `bad`: something did not succeed. */
export const Said = Schema.Struct({ text: Schema.String, bad: Schema.Boolean })
export type Said = typeof Said.Type

const tag = { tag: Schema.String }

/** What `leap hosts serve` does for a leap on another machine (Effect RPC, NDJSON, on its standard streams). */
export class RemoteRpc extends RpcGroup.make(
  Rpc.make("Feed", { success: FeedEvent, stream: true }),
  Rpc.make("Perform", { payload: { command: ListCommand }, success: Said }),
  /** The changes of its work tree, or why there are none. */
  Rpc.make("Compare", {
    payload: { ...tag, against: Schema.NullOr(Schema.String) },
    success: Schema.Union([Changes, Schema.String])
  }),
  /** Its screen as text, of an ended session the last one; null if there is none. */
  Rpc.make("Screen", { payload: tag, success: Schema.NullOr(Schema.String) }),
  Rpc.make("Seen", { payload: tag })
) {}
