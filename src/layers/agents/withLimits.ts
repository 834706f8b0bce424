import { Effect, Stream } from "effect"
import type { AgentEvent } from "../../domain/cli/agents/AgentEvent.ts"
import type { AgentResult } from "../../domain/cli/agents/AgentResult.ts"
import { exceededText, nothingSpent, spend, type Spending } from "../../domain/cli/agents/Spending.ts"
import { after, nothingYet, type RunSoFar } from "../../domain/cli/agents/RunSoFar.ts"
import { costOf, type PriceTable } from "../../domain/cli/usage/Prices.ts"
import { type CountTokens, noTokens } from "../../domain/cli/agents/tokens.ts"
import {
  AgentOptionError,
  AgentReportedError,
  type AgentProviderShape,
  type AgentRun,
  type AgentRunOptions
} from "../../services/AgentProvider.ts"
import type { Prices } from "../../services/Prices.ts"

interface Memory {
  readonly spending: Spending
  readonly run: RunSoFar
}

interface Over {
  readonly _tag: "Over"
  readonly error: AgentReportedError | AgentOptionError
}

const notice = (text: string): AgentEvent => ({ _tag: "Notice", text })

/**
 * The same provider with limits of cost and tokens. leap ends a run before a request that would exceed them, if that is
 * known, or else when they are exceeded. Exceeding them with the last request is only reported.
 */
export const withLimits = (
  base: AgentProviderShape,
  prices: Prices["Service"],
  count: CountTokens
): AgentProviderShape => {
  const unpriced = (why: string) => new AgentOptionError({ provider: base.name, option: "maxCost", why })

  const isPriced = (table: PriceTable, model: string): boolean =>
    costOf(table, model, { ...noTokens, cacheWriteLong: 0, reasoning: 0 }) !== null

  /** Why the cost of this model's run cannot be watched; null: it can. */
  const unwatched = (table: PriceTable, model: string | null, { maxCost }: AgentRunOptions) => {
    if (maxCost === undefined || base.keepsCost === true) return null
    if (model === null) return unpriced("it is not known which model answers, nor what it costs: name the model")
    return isPriced(table, model) ? null : unpriced(`leap has no price for the model '${model}' (the setting 'prices')`)
  }

  const limited = <R>(
    run: AgentRun<R>,
    options: AgentRunOptions,
    prompts: ReadonlyArray<string>,
    resultOf: (result: R) => AgentResult
  ): AgentRun<R> => {
    const { maxCost, maxTokensTotal } = options
    if (maxCost === undefined && maxTokensTotal === undefined) return run
    return Stream.unwrap(
      Effect.gen(function* () {
        const { table } = yield* prices.read
        const model = options.model ?? null
        const unknown = model === null ? null : unwatched(table, model, options)
        if (unknown !== null) return Stream.fail(unknown)
        type Item = AgentEvent | { readonly _tag: "Result"; readonly result: R }
        const step = (memory: Memory, item: Item): readonly [Memory, ReadonlyArray<Item | Over>] => {
          if (item._tag === "Result") {
            const { exceeded } = memory.spending
            const beyond =
              exceeded === null || exceeded.next !== null
                ? []
                : [notice(`${exceededText(exceeded)} as it came to its end`)]
            const { cost } = resultOf(item.result)
            const blind = maxCost === undefined || cost !== null ? [] : [notice("what it cost is not known")]
            return [memory, [...beyond, ...blind, item]]
          }
          const [spending, over] = spend(options, table, memory.spending, item, base.answerTool ?? null)
          const next = { spending, run: after(memory.run, item) }
          const why = item._tag === "Started" ? unwatched(table, spending.model, options) : null
          if (why !== null) return [next, [item, { _tag: "Over", error: why }]]
          if (!over || spending.exceeded === null) return [next, [item]]
          const problem = {
            kind: "other",
            message: `${exceededText(spending.exceeded)}, and leap ended it`,
            retryAfter: null
          } as const
          const error = new AgentReportedError({
            provider: base.name,
            problem,
            exit: null,
            sessionId: next.run.sessionId,
            text: next.run.text,
            stderr: ""
          })
          return [next, [item, { _tag: "Failed", problem }, { _tag: "Over", error }]]
        }
        return run.pipe(
          Stream.mapAccum((): Memory => ({ spending: nothingSpent(prompts, model, count), run: nothingYet }), step),
          Stream.mapEffect((item) => (item._tag === "Over" ? Effect.fail(item.error) : Effect.succeed(item)))
        )
      })
    )
  }

  return {
    ...base,
    execute: (prompt, options) =>
      limited(base.execute(prompt, options), options, [options.systemPrompt ?? "", prompt], (result) => result),
    executeConversation: (conversation, prompt, options) =>
      limited(
        base.executeConversation(conversation, prompt, options),
        options,
        [...conversation.turns.map(({ text }) => text), prompt],
        ({ result }) => result
      )
  }
}
