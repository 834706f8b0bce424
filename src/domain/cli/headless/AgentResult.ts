import { Schema } from "effect"
import { Tokens } from "../usage/Usage.ts"
import { ModelUse } from "./AgentEvent.ts"

/** Tokens of one run. `estimated`: the provider counted none; `TokenCounter` counted the texts. */
export const RunTokens = Schema.Struct({ ...Tokens.fields, total: Schema.Finite, estimated: Schema.Boolean })
export type RunTokens = typeof RunTokens.Type

/** The result of one headless run. */
export const AgentResult = Schema.Struct({
  provider: Schema.String,
  /** The last answer, if background work brought several. Empty: none. */
  text: Schema.String,
  /** All answers of the run, in order. */
  answers: Schema.Array(Schema.String),
  /** The answer as JSON, if the options demand it. */
  json: Schema.NullOr(Schema.Unknown),
  sessionId: Schema.NullOr(Schema.String),
  model: Schema.NullOr(Schema.String),
  tokens: RunTokens,
  /** The output tokens that were thoughts; null: not counted apart. */
  reasoning: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  /** What each model used; null: not reported. */
  models: Schema.optionalKey(Schema.NullOr(Schema.Array(ModelUse))),
  cost: Schema.NullOr(Schema.Struct({ usd: Schema.Finite, estimated: Schema.Boolean })),
  /** Model turns, if the provider counts them. */
  turns: Schema.NullOr(Schema.Int),
  refused: Schema.Array(Schema.Struct({ tool: Schema.String, why: Schema.String })),
  /** Why the run ended, in the words of `StopReason.ts`; an unknown reason stays in the provider's words. */
  stopReason: Schema.NullOr(Schema.String),
  startedAt: Schema.String,
  completedAt: Schema.String
})
export type AgentResult = typeof AgentResult.Type
