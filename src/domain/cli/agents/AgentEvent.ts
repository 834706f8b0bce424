import { Schema } from "effect"
import { Tokens } from "../usage/Usage.ts"

/** Why a turn failed, as far as the CLI or the API says. */
export const ProviderProblemKind = Schema.Literals([
  "auth",
  "rate_limited",
  "quota",
  "overloaded",
  "model",
  "context",
  "session",
  "refused",
  "other"
])
export type ProviderProblemKind = typeof ProviderProblemKind.Type

/** Why a provider did not answer, in one form for all of them. */
export const ProviderProblem = Schema.Struct({
  kind: ProviderProblemKind,
  /** In the provider's words, secrets masked. */
  message: Schema.String,
  /** Milliseconds after which a request may be made again; null when that is not said. */
  retryAfter: Schema.NullOr(Schema.Finite)
})
export type ProviderProblem = typeof ProviderProblem.Type

/**
 * What happens in a headless turn, the same for every provider; `leap exec --output stream-json` prints one a line. A
 * text or a thought comes as deltas (`delta` true: joined without anything between) or whole; a message that was
 * streamed is not repeated whole. `agent` names the subagent that the event is of; null for the main conversation.
 */
export const AgentEvent = Schema.TaggedUnion({
  /** The provider has taken the prompt. */
  Started: { sessionId: Schema.NullOr(Schema.String), model: Schema.NullOr(Schema.String) },
  Text: {
    text: Schema.String,
    delta: Schema.Boolean,
    message: Schema.NullOr(Schema.String),
    agent: Schema.NullOr(Schema.String)
  },
  Thought: { text: Schema.String, delta: Schema.Boolean, agent: Schema.NullOr(Schema.String) },
  /** `preview` is the most telling argument, in one line of at most 80 characters. */
  ToolStarted: {
    id: Schema.NullOr(Schema.String),
    tool: Schema.String,
    preview: Schema.String,
    input: Schema.Unknown,
    agent: Schema.NullOr(Schema.String)
  },
  /** `output` is cut to 4,096 characters. */
  ToolEnded: {
    id: Schema.NullOr(Schema.String),
    tool: Schema.NullOr(Schema.String),
    ok: Schema.Boolean,
    output: Schema.String,
    agent: Schema.NullOr(Schema.String)
  },
  /** A tool was not allowed to run. */
  Refused: { tool: Schema.String, why: Schema.String },
  /** A request failed and is tried again. `inMs` null: at once, or when is not said. */
  Retrying: {
    attempt: Schema.Int,
    of: Schema.NullOr(Schema.Int),
    inMs: Schema.NullOr(Schema.Finite),
    problem: ProviderProblem
  },
  /** Tokens of the turn so far. */
  Used: { tokens: Tokens },
  /** A line that the CLI wrote to its standard error. */
  ErrorOutput: { text: Schema.String },
  /** A line of the CLI's own output as it wrote it, where `native` asks for them; what it says comes as events behind it. */
  Native: { line: Schema.String },
  /** Something that is no other event: a remark for people, or output that could not be read. */
  Notice: { text: Schema.String },
  /** The provider says that the turn failed; it may still print its end. */
  Failed: { problem: ProviderProblem },
  /** One answer of the run is complete. Background work may bring another. */
  Answered: { text: Schema.String }
})
export type AgentEvent = typeof AgentEvent.Type
