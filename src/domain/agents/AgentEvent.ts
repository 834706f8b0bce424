import { Schema } from "effect"
import { Tokens } from "../usage/Usage.ts"

/** Why a turn failed, as far as the CLI or the API tells. */
export const ProviderProblemKind = Schema.Literals(["auth", "rate_limited", "quota", "overloaded", "model", "context", "session", "refused", "other"])
export type ProviderProblemKind = typeof ProviderProblemKind.Type

export const ProviderProblem = Schema.Struct({
  kind: ProviderProblemKind,
  /** In the provider's words, secrets masked. */
  message: Schema.String,
  /** Milliseconds after which it may go on; null when it does not say. */
  retryAfter: Schema.NullOr(Schema.Finite)
})
export type ProviderProblem = typeof ProviderProblem.Type

/**
 * What happens in a headless turn, the same for every provider; `leap exec --output stream-json` prints one a line. A text or
 * a thought comes as deltas (`delta` true: joined without anything between) or whole; a message that was streamed is not
 * repeated whole. `agent` names the subagent that speaks; null for the main conversation.
 */
export const AgentEvent = Schema.TaggedUnion({
  /** The provider has taken the prompt. */
  Started: { sessionId: Schema.NullOr(Schema.String), model: Schema.NullOr(Schema.String) },
  Text: { text: Schema.String, delta: Schema.Boolean, message: Schema.NullOr(Schema.String), agent: Schema.NullOr(Schema.String) },
  Thought: { text: Schema.String, delta: Schema.Boolean, agent: Schema.NullOr(Schema.String) },
  /** `preview` is the argument that tells most, in one line of at most 80 characters. */
  ToolStarted: { id: Schema.NullOr(Schema.String), tool: Schema.String, preview: Schema.String, input: Schema.Unknown, agent: Schema.NullOr(Schema.String) },
  /** `output` is cut to 4,096 characters. */
  ToolEnded: { id: Schema.NullOr(Schema.String), tool: Schema.NullOr(Schema.String), ok: Schema.Boolean, output: Schema.String, agent: Schema.NullOr(Schema.String) },
  /** A tool was not allowed to run. */
  Refused: { tool: Schema.String, why: Schema.String },
  /** A request failed and is tried again. `inMs` null: at once, or it does not say. */
  Retrying: { attempt: Schema.Int, of: Schema.NullOr(Schema.Int), inMs: Schema.NullOr(Schema.Finite), problem: ProviderProblem },
  /** Tokens of the turn so far. */
  Used: { tokens: Tokens },
  /** The stream said something that has no place here, or could not be read. */
  Notice: { text: Schema.String },
  /** The provider says that the turn failed; it may still print its end. */
  Failed: { problem: ProviderProblem },
  /** One answer of the run is complete. Background work may bring another. */
  Answered: { text: Schema.String }
})
export type AgentEvent = typeof AgentEvent.Type
