import { sizeOf } from "../../domain/cli/usage/UsageReader.ts"
import { Effect, Stream, Struct } from "effect"
import type { AgentEvent } from "../../domain/cli/headless/AgentEvent.ts"
import type { AgentResult } from "../../domain/cli/headless/AgentResult.ts"
import {
  exceededByFirstRequest,
  exceededText,
  spend,
  type SpendingLimits,
  startSpending,
  usdOf,
  usedSoFar
} from "../../domain/cli/headless/Spending.ts"
import { after, nothingYet, type RunSoFar } from "../../domain/cli/headless/RunSoFar.ts"
import { costOf, type PriceTable } from "../../domain/cli/usage/Prices.ts"
import { type CountTokens, noTokens } from "../../domain/cli/headless/tokens.ts"
import {
  AgentOptionError,
  AgentReportedError,
  type AgentProviderShape,
  type AgentRun,
  type AgentRunOptions
} from "../../services/AgentProvider.ts"
import type { Prices } from "../../services/Prices.ts"

interface Over {
  readonly _tag: "Over"
  readonly error: AgentReportedError | AgentOptionError
}

/** Whether anything is limited that leap watches. */
export const isLimited = (
  { countsTurns }: Pick<AgentProviderShape, "countsTurns">,
  { account, maxCost, maxTokensTotal, maxTurns }: AgentRunOptions
): boolean =>
  [account, maxCost, maxTokensTotal, countsTurns === true ? maxTurns : undefined].some((limit) => limit !== undefined)

const notice = (text: string): AgentEvent => ({ _tag: "Notice", text })

/** The warning that a budget of cost cannot count this run's use while it runs. */
const unseenCost = (model: string | null): string =>
  `${model === null ? "it is not known which model answers" : `leap has no price for the model '${model}'`}: ` +
  "budgets of cost count what its provider tells at its end, if it does"

/**
 * The same provider with limits of cost and tokens, its own and those that it shares. leap ends a run before a request
 * that would exceed them, if that is known, or else when they are exceeded. Exceeding them with the last request is only
 * reported.
 */
export const withLimits = (
  base: AgentProviderShape,
  prices: Prices["Service"],
  count: CountTokens
): AgentProviderShape => {
  const unpriced = (why: string) => new AgentOptionError({ provider: base.name, option: "maxCost", why })

  const within = [...(base.providerTools ?? []), ...(base.answerTool === undefined ? [] : [base.answerTool])]

  const isPriced = (table: PriceTable, model: string): boolean =>
    costOf(table, model, { ...noTokens, cacheWriteLong: 0, reasoning: 0 }) !== null

  /** Why the cost of this model's run cannot be watched; null: it can. */
  const unwatched = (table: PriceTable, model: string | null, { maxCost }: AgentRunOptions) => {
    if (maxCost === undefined || base.keepsCost === true) return null
    if (model === null) return unpriced("it is not known which model answers, nor what it costs: name the model")
    return isPriced(table, model) ? null : unpriced(`leap has no price for the model '${model}' (the setting 'prices')`)
  }

  const overError = (message: string, { sessionId, text }: RunSoFar) => {
    const problem = { kind: "other", message, retryAfter: null } as const
    return new AgentReportedError({ provider: base.name, problem, exit: null, sessionId, text, stderr: "" })
  }

  const limited = <R>(
    runOf: (options: AgentRunOptions) => AgentRun<R>,
    options: AgentRunOptions,
    prompts: ReadonlyArray<string>,
    resultOf: (result: R) => AgentResult
  ): AgentRun<R> => {
    if (!isLimited(base, options)) return runOf(options)
    const { account: open, maxCost } = options
    return Stream.unwrap(
      Effect.gen(function* () {
        const { table } = yield* prices.read
        const model = options.model ?? null
        const unknown = model === null ? null : unwatched(table, model, options)
        if (unknown !== null) return Stream.fail(unknown)
        const account = open === undefined ? null : yield* open(base.name)
        let shared = account === null ? [] : yield* account.limits
        const limits = (): SpendingLimits => ({
          ...Struct.pick(options, ["maxCost", "maxTokensTotal"]),
          ...(base.countsTurns === true ? Struct.pick(options, ["maxTurns"]) : {}),
          shared,
          countsRequests: base.countsRequests?.(options) === true
        })
        let spending = startSpending(prompts, model, count)
        let soFar = nothingYet
        let ended: AgentResult | null = null
        const first = exceededByFirstRequest(limits(), spending, table)
        if (first !== null) return Stream.fail(overError(`${exceededText(first)}; nothing was asked`, nothingYet))
        type Item = AgentEvent | { readonly _tag: "Result"; readonly result: R }
        const unseen = (model: string | null): ReadonlyArray<AgentEvent> =>
          shared.some(({ limit }) => limit === "cost") && (model === null || !isPriced(table, model))
            ? [notice(unseenCost(model))]
            : []
        const step = (item: Item): ReadonlyArray<Item | Over> => {
          if (item._tag === "Result") {
            const { exceeded } = spending
            const beyond =
              exceeded === null || exceeded.next !== null
                ? []
                : [notice(`${exceededText(exceeded)} as it came to its end`)]
            ended = resultOf(item.result)
            const blind = maxCost === undefined || ended.cost !== null ? [] : [notice("what it cost is not known")]
            return [...beyond, ...blind, item]
          }
          const [next, over] = spend(limits(), table, spending, item, within)
          spending = next
          soFar = after(soFar, item)
          const why = item._tag === "Started" ? unwatched(table, spending.model, options) : null
          if (why !== null) return [item, { _tag: "Over", error: why }]
          const told = item._tag === "Started" ? [item, ...unseen(spending.model)] : [item]
          if (!over || spending.exceeded === null) return told
          const error = overError(`${exceededText(spending.exceeded)}, and leap ended it`, soFar)
          return [...told, { _tag: "Failed", problem: error.problem }, { _tag: "Over", error }]
        }
        const putDown = Effect.suspend(() => {
          if (account === null) return Effect.void
          const used = usedSoFar(spending, table)
          const model = ended?.model ?? spending.model
          // what a CLI says at its end may leave its subagents out
          if (ended === null || sizeOf(spending.counted) > sizeOf(ended.tokens))
            return account.spent({ model, ...used })
          const { cost, tokens } = ended
          // the CLI has prices of its own, and the user another contract: a budget holds by both
          const usd = [cost?.usd ?? null, usdOf({ context: spending.context, model }, table, tokens)].reduce((a, b) =>
            a === null || b === null ? (a ?? b) : Math.max(a, b)
          )
          return account.spent({ model, tokens, usd, isEstimated: tokens.estimated })
        })
        /** Records its use as it is counted, and reads the others' use. */
        const share = Effect.gen(function* () {
          yield* putDown
          if (account !== null) shared = yield* account.limits
        })
        return runOf(options).pipe(
          Stream.map(step),
          Stream.flattenIterable,
          Stream.mapEffect((item) => (item._tag === "Over" ? Effect.fail(item.error) : Effect.succeed(item))),
          Stream.tap((item) => (item._tag === "Used" ? share : Effect.void)),
          Stream.ensuring(putDown)
        )
      })
    )
  }

  return {
    ...base,
    execute: (prompt, options) =>
      limited(
        (own) => base.execute(prompt, own),
        options,
        [options.systemPrompt ?? "", prompt],
        (result) => result
      ),
    executeConversation: (conversation, prompt, options) =>
      limited(
        (own) => base.executeConversation(conversation, prompt, own),
        options,
        [...conversation.turns.map(({ text }) => text), prompt],
        ({ result }) => result
      )
  }
}
