import { Schema } from "effect"
import { Tokens } from "../usage/Usage.ts"
import { ModelUse } from "./AgentEvent.ts"

/** Tokens of one run. `estimated`: the provider counted none; they were counted in the texts (`TokenCounter`). */
export const RunTokens = Schema.Struct({ ...Tokens.fields, total: Schema.Finite, estimated: Schema.Boolean })
export type RunTokens = typeof RunTokens.Type

/** What one headless run gave. */
export const AgentResult = Schema.Struct({
  provider: Schema.String,
  /** The answer: the last one, where background work brought several. Empty when there is none. */
  text: Schema.String,
  /** All answers of the run, in order. */
  answers: Schema.Array(Schema.String),
  /** The answer as JSON, where the options demand that. */
  json: Schema.NullOr(Schema.Unknown),
  sessionId: Schema.NullOr(Schema.String),
  model: Schema.NullOr(Schema.String),
  tokens: RunTokens,
  /** Of the output, tokens of thoughts; null where they are not counted apart. */
  reasoning: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  /** What each model used; null where the provider does not say. */
  models: Schema.optionalKey(Schema.NullOr(Schema.Array(ModelUse))),
  cost: Schema.NullOr(Schema.Struct({ usd: Schema.Finite, estimated: Schema.Boolean })),
  /** Model turns, where the provider counts them. */
  turns: Schema.NullOr(Schema.Int),
  refused: Schema.Array(Schema.Struct({ tool: Schema.String, why: Schema.String })),
  /** Why it ended, in the words of `StopReason.ts`; a reason that is new to leap as the provider names it. */
  stopReason: Schema.NullOr(Schema.String),
  startedAt: Schema.String,
  completedAt: Schema.String
})
export type AgentResult = typeof AgentResult.Type
