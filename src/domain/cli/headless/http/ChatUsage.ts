import { countOf, type Fields, fieldsOf, numberOf } from "../../../words/reading/Fields.ts"
import { namesIn } from "../../../words/text/namesIn.ts"
import { type Tokens, tokensIn } from "../../usage/Usage.ts"
import type { RunTokens } from "../AgentResult.ts"
import { estimatedTokens } from "../tokens.ts"

export interface ChatUsage {
  readonly tokens: Tokens
  readonly total: number
  /** Tokens that the next request sends again: all but the reasoning. */
  readonly context: number
  /** Null if the API reports no reasoning tokens. */
  readonly reasoning: number | null
  readonly usd: number | null
}

/** An API may report one count under several names; the largest counts. */
const countIn = (fields: Fields, names: ReadonlyArray<string>): number =>
  Math.max(...names.map((name) => countOf(fields[name])))

/** APIs have different names for the tokens read from a cache. */
const readNames = namesIn(
  "cached_tokens cache_read_tokens cache_read_input_tokens prompt_cache_hit_tokens num_cached_tokens"
)
const writeNames = namesIn("cache_write_tokens cache_creation_tokens cache_creation_input_tokens")

/**
 * Reads the `usage` of an answer; null: none. `output` includes reasoning, even if the API counts it separately. The
 * API's count of the prompt includes cached tokens; only Anthropic's format counts these separately.
 */
export const chatUsage = (value: unknown): ChatUsage | null => {
  const fields = fieldsOf(value)
  const promptTokens = numberOf(fields["prompt_tokens"])
  const inputTokens = promptTokens ?? numberOf(fields["input_tokens"])
  const completionTokens = numberOf(fields["completion_tokens"]) ?? numberOf(fields["output_tokens"])
  if (inputTokens === null && completionTokens === null) return null
  const reportedInput = countOf(inputTokens)
  const completion = countOf(completionTokens)
  const details = fieldsOf(fields["prompt_tokens_details"] ?? fields["input_tokens_details"])
  const read = Math.max(countIn(fields, readNames), countIn(details, readNames))
  const written = Math.max(countIn(fields, writeNames), countIn(details, writeNames))
  const total = countOf(fields["total_tokens"])
  const hasAnthropicFields = (fields["cache_read_input_tokens"] ?? fields["cache_creation_input_tokens"]) !== undefined
  // Anthropic's format excludes cached tokens from the input. A cache that exceeds the input shows this, and so does a
  // total that equals input, cache and output. Without a total, the field name `input_tokens` shows it.
  const cacheIsSeparate =
    hasAnthropicFields &&
    (read + written > reportedInput ||
      (total === 0 ? promptTokens === null : total === reportedInput + read + written + completion))
  const prompt = cacheIsSeparate ? reportedInput + read + written : reportedInput
  // If the total exceeds the sum of prompt and completion, the completion excludes the reasoning. Otherwise it includes
  // the reasoning.
  const output = Math.max(completion, total - prompt)
  const reasoning = Math.max(
    countIn(fields, ["reasoning_tokens"]),
    countIn(fieldsOf(fields["completion_tokens_details"] ?? fields["output_tokens_details"]), ["reasoning_tokens"])
  )
  return {
    reasoning: reasoning === 0 ? null : reasoning,
    tokens: tokensIn({ input: prompt, cacheRead: read, cacheWrite: written, output }),
    total: prompt + output,
    context: prompt + (output > completion ? completion : Math.max(0, completion - reasoning)),
    usd: numberOf(fields["cost"])
  }
}

/** The tokens of a run: the API's count, else an estimate from the texts. */
export const runTokens = (usage: ChatUsage | null, estimatedInput: number, estimatedOutput: number): RunTokens =>
  usage === null
    ? estimatedTokens(estimatedInput, estimatedOutput)
    : { ...usage.tokens, total: usage.total, estimated: false }
