import { Schema } from "effect"

/**
 * Tokens that were billed. Classes do not overlap: `input` is what was neither read from nor written to a cache;
 * `output` includes reasoning.
 */
export const Tokens = Schema.Struct({
  input: Schema.Finite,
  cacheRead: Schema.Finite,
  cacheWrite: Schema.Finite,
  output: Schema.Finite
})
export type Tokens = typeof Tokens.Type

/** What a session has used; null where it is not known. */
export const Usage = Schema.Struct({
  model: Schema.NullOr(Schema.String),
  /** Tokens of the conversation that the next request carries. */
  contextTokens: Schema.NullOr(Schema.Finite),
  window: Schema.NullOr(Schema.Finite),
  lastTurn: Schema.NullOr(Tokens),
  session: Schema.NullOr(Tokens),
  /** In US dollars. `estimated`: from tokens and leap's price table, not reported by the CLI. */
  cost: Schema.NullOr(Schema.Struct({ usd: Schema.Finite, estimated: Schema.Boolean })),
  lastPrompt: Schema.NullOr(Schema.String),
  lastResponse: Schema.NullOr(Schema.String)
})
export type Usage = typeof Usage.Type

export const unknownUsage: Usage = {
  model: null,
  contextTokens: null,
  window: null,
  lastTurn: null,
  session: null,
  cost: null,
  lastPrompt: null,
  lastResponse: null
}
