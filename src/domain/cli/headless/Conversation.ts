import { Schema, Struct } from "effect"
import { AgentOptions } from "./AgentOptions.ts"
import { Tokens } from "../usage/Usage.ts"

/** One side's text in a conversation, with its tokens. */
export const Turn = Schema.Struct({
  role: Schema.Literals(["system", "user", "assistant", "tool"]),
  text: Schema.String,
  /** Tokens of this turn alone; null: not known. */
  tokens: Schema.NullOr(Schema.Finite),
  /** Of an HTTP provider: tool calls and their ids, to send the turn again unchanged, and the `context` in tokens. */
  extra: Schema.optionalKey(Schema.Unknown)
})
export type Turn = typeof Turn.Type

/** What the tools of a conversation must not do. */
export const Restrictions = Schema.Struct(
  Struct.pick(AgentOptions.fields, ["sandbox", "network", "deniedTools", "deny"])
)
export type Restrictions = typeof Restrictions.Type

/** A headless conversation between two runs, as `leap chat --state FILE` saves it. */
export const Conversation = Schema.Struct({
  schema: Schema.Literal(1),
  provider: Schema.String,
  /** The CLI's own session; null before the first turn, and for providers without sessions. */
  sessionId: Schema.NullOr(Schema.String),
  /** The session's directory: a CLI may find its session only there. */
  cwd: Schema.NullOr(Schema.String),
  model: Schema.NullOr(Schema.String),
  turns: Schema.Array(Turn),
  totalTokens: Schema.Finite,
  stoppedBy: Schema.NullOr(Schema.Literals(["user_exit", "error"])),
  /** The tokens of the whole session after the last turn, for a CLI that counts nothing else. */
  counted: Schema.optionalKey(Tokens),
  /** The use of its turns, including failed ones. `floor`: part of the cost is unknown. */
  spent: Schema.optionalKey(Schema.Struct({ tokens: Schema.Finite, usd: Schema.Finite, floor: Schema.Boolean })),
  /** They apply to the next turns too, until others are given. */
  restrictions: Schema.optionalKey(Restrictions),
  /** The session from which this one was forked. */
  forkedFrom: Schema.optionalKey(Schema.String)
})
export type Conversation = typeof Conversation.Type
