import { Schema } from "effect"
import { countOf } from "../../words/reading/Fields.ts"

/** Billed tokens, each in one class: `input` excludes the cache's, `output` includes reasoning. */
export const Tokens = Schema.Struct({
  input: Schema.Finite,
  cacheRead: Schema.Finite,
  cacheWrite: Schema.Finite,
  output: Schema.Finite
})
export type Tokens = typeof Tokens.Type

/** The classes of a count whose input includes tokens read from and written to a cache. */
export const tokensIn = (count: Partial<Readonly<Record<keyof Tokens, unknown>>>): Tokens => {
  const input = countOf(count.input)
  const cacheRead = Math.min(input, countOf(count.cacheRead))
  const cacheWrite = Math.min(input - cacheRead, countOf(count.cacheWrite))
  return { input: input - cacheRead - cacheWrite, cacheRead, cacheWrite, output: countOf(count.output) }
}

/** A session's use; null: not known. */
export const Usage = Schema.Struct({
  model: Schema.NullOr(Schema.String),
  /** Tokens of the conversation that the next request sends. */
  contextTokens: Schema.NullOr(Schema.Finite),
  window: Schema.NullOr(Schema.Finite),
  lastTurn: Schema.NullOr(Tokens),
  session: Schema.NullOr(Tokens),
  /**
   * In US dollars. `estimated`: from tokens and leap's price table, not reported by the CLI. `floor`: the cost is a
   * minimum, and why: something could not be counted.
   */
  cost: Schema.NullOr(
    Schema.Struct({ usd: Schema.Finite, estimated: Schema.Boolean, floor: Schema.optionalKey(Schema.String) })
  ),
  /** The part that the conversation had used before it was continued here; absent: not known. */
  before: Schema.optionalKey(Schema.Struct({ session: Schema.NullOr(Tokens), usd: Schema.NullOr(Schema.Finite) })),
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

/** The used share of a window, in whole per cent; exact halves go to the even neighbour (12.5 → 12). */
export const percentOf = (used: number, window: number | null): number | null => {
  if (window === null) return null
  if (!(window > 0) || !Number.isFinite(used)) return 0
  const exact = Math.min(100, Math.max(0, (100 * used) / window))
  const below = Math.floor(exact)
  const rest = exact - below
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below
}
