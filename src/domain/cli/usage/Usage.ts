import { Schema } from "effect"
import { countOf } from "../../words/reading/Fields.ts"

/** Tokens that were billed, each in one class: `input` is without what a cache took; `output` has reasoning. */
export const Tokens = Schema.Struct({
  input: Schema.Finite,
  cacheRead: Schema.Finite,
  cacheWrite: Schema.Finite,
  output: Schema.Finite
})
export type Tokens = typeof Tokens.Type

/** The classes of a count whose input includes what was read from a cache and written to it. */
export const tokensIn = (count: Partial<Readonly<Record<keyof Tokens, unknown>>>): Tokens => {
  const input = countOf(count.input)
  const cacheRead = Math.min(input, countOf(count.cacheRead))
  const cacheWrite = Math.min(input - cacheRead, countOf(count.cacheWrite))
  return { input: input - cacheRead - cacheWrite, cacheRead, cacheWrite, output: countOf(count.output) }
}

/** What a session has used; null where it is not known. */
export const Usage = Schema.Struct({
  model: Schema.NullOr(Schema.String),
  /** Tokens of the conversation that the next request carries. */
  contextTokens: Schema.NullOr(Schema.Finite),
  window: Schema.NullOr(Schema.Finite),
  lastTurn: Schema.NullOr(Tokens),
  session: Schema.NullOr(Tokens),
  /**
   * In US dollars. `estimated`: from tokens and leap's price table, not reported by the CLI. `floor`: it has cost this
   * or more, since something could not be counted, in words.
   */
  cost: Schema.NullOr(
    Schema.Struct({ usd: Schema.Finite, estimated: Schema.Boolean, floor: Schema.optionalKey(Schema.String) })
  ),
  /** Of that, what the conversation had used before it was gone on with here; absent where that is not known. */
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

/** How much of a window is used, in whole per cent; exact halves go to the even neighbour (12.5 → 12). */
export const percentOf = (used: number, window: number | null): number | null => {
  if (window === null) return null
  if (!(window > 0) || !Number.isFinite(used)) return 0
  const exact = Math.min(100, Math.max(0, (100 * used) / window))
  const below = Math.floor(exact)
  const rest = exact - below
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below
}
