import { costOf, type PriceTable } from "../usage/Prices.ts"
import type { AgentOutcome } from "./AgentCli.ts"
import type { AgentResult } from "./AgentResult.ts"
import { stopReasonOf } from "./StopReason.ts"
import { countAll, type CountTokens, estimatedTokens } from "./tokens.ts"

/** Whether the cost must be computed: the CLI counts tokens but reports no cost. */
export const needsPrices = ({ tokens, usd }: AgentOutcome): boolean => usd === null && tokens !== null

/** The result of a CLI's run: tokens that it does not count are estimated; only counted tokens are priced. */
export const cliResult = (
  outcome: AgentOutcome,
  about: {
    readonly provider: string
    readonly model: string | null
    readonly prompts: ReadonlyArray<string>
    readonly refused: AgentResult["refused"]
    readonly json: unknown
    /** Required only if {@link needsPrices} says so. */
    readonly prices: PriceTable | null
    readonly count: CountTokens
    readonly startedAt: string
    readonly completedAt: string
  }
): AgentResult => {
  const text = outcome.answers.at(-1) ?? ""
  const tokens =
    outcome.tokens === null
      ? estimatedTokens(countAll(about.count, about.prompts), about.count(text))
      : { ...outcome.tokens, estimated: false }
  const usd =
    outcome.usd ??
    (tokens.estimated || about.prices === null
      ? null
      : costOf(about.prices, outcome.model, { ...tokens, cacheWriteLong: 0, reasoning: 0 }))
  return {
    provider: about.provider,
    text,
    answers: outcome.answers,
    json: about.json,
    sessionId: outcome.sessionId,
    model: outcome.model ?? about.model,
    tokens,
    reasoning: outcome.reasoning,
    models: outcome.models,
    cost: usd === null ? null : { usd, estimated: outcome.usd === null },
    turns: outcome.turns,
    refused: about.refused,
    stopReason: stopReasonOf(outcome.stopReason),
    startedAt: about.startedAt,
    completedAt: about.completedAt
  }
}
