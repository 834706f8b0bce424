import { countOf, fieldsOf, numberOf } from "../../../words/reading/Fields.ts"
import type { Tokens } from "../../usage/Usage.ts"
import type { RunTokens } from "../AgentResult.ts"
import { estimatedTokens } from "../tokens.ts"

/** What one request used, by the API's count. */
export interface ChatUsage {
  readonly tokens: Tokens
  readonly total: number
  /** Tokens that the next request carries again: all but the reasoning. */
  readonly context: number
  readonly usd: number | null
}

/**
 * Reads the `usage` of an answer; null where there is none. `output` includes reasoning, also where the API counts it
 * separately.
 */
export const chatUsage = (value: unknown): ChatUsage | null => {
  const fields = fieldsOf(value)
  const promptTokens = numberOf(fields["prompt_tokens"]) ?? numberOf(fields["input_tokens"])
  const completionTokens = numberOf(fields["completion_tokens"]) ?? numberOf(fields["output_tokens"])
  if (promptTokens === null && completionTokens === null) return null
  const prompt = countOf(promptTokens)
  const completion = countOf(completionTokens)
  const details = fieldsOf(fields["prompt_tokens_details"] ?? fields["input_tokens_details"])
  const cacheRead = Math.min(prompt, countOf(details["cached_tokens"]) || countOf(fields["prompt_cache_hit_tokens"]))
  const cacheWrite = Math.min(prompt - cacheRead, countOf(details["cache_write_tokens"]))
  const output = Math.max(completion, countOf(fields["total_tokens"]) - prompt)
  const reasoning = countOf(
    fieldsOf(fields["completion_tokens_details"] ?? fields["output_tokens_details"])["reasoning_tokens"]
  )
  return {
    tokens: { input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite, output },
    total: prompt + output,
    context: prompt + (output > completion ? completion : Math.max(0, completion - reasoning)),
    usd: numberOf(fields["cost"])
  }
}

/** The tokens of a run: the API's count, else that of the texts sent and received. */
export const runTokens = (usage: ChatUsage | null, sent: number, received: number): RunTokens =>
  usage === null ? estimatedTokens(sent, received) : { ...usage.tokens, total: usage.total, estimated: false }
