import { amountWords, budgetWords } from "../../words/wording/budgetWords.ts"
import type { OverBudget } from "../../words/session/OverBudget.ts"
import { overBudget, type SharedLimit } from "../usage/Budget.ts"
import { costOf, type PriceTable } from "../usage/Prices.ts"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentEvent, EventOf } from "./AgentEvent.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import { addTokens, countAll, type CountTokens, noTokens, tokensSince } from "./tokens.ts"
import { sizeOf } from "../usage/UsageReader.ts"

/** The limits of a run. `shared`: with other runs, or with earlier turns. */
export type SpendingLimits = Pick<AgentOptions, "maxCost" | "maxTokensTotal" | "maxTurns"> & {
  readonly shared?: ReadonlyArray<SharedLimit>
  /** Its provider reports each request. */
  readonly countsRequests?: boolean
}

/** A run's usage so far. leap estimates from the texts what its provider has not yet reported. */
export interface Spending {
  readonly count: CountTokens
  readonly model: string | null
  readonly counted: Tokens
  /** The estimate since the last count. */
  readonly since: Tokens
  /** Tokens of the conversation, which the model's next request reads. */
  readonly context: number
  /** The provider has earlier texts in its cache, according to the last count. */
  readonly caches: boolean
  readonly openTools: number
  /**
   * The number of model requests by the provider's usage reports (`counted`), and by the model's output: at most
   * (`said`), and at least (`told`), because tools of one request may run one after another.
   */
  readonly requests: { readonly counted: number; readonly said: number; readonly told: number }
  /** The model's next output belongs to a new request. */
  readonly asked: boolean
  readonly begun: boolean
  /** The last count was of a subagent's request: it, or who called it, is asked again. */
  readonly byAgent: boolean
  /** The limit that was exceeded, or would be; null while none is. */
  readonly exceeded: Exceeded | null
}

/** A limit, and the usage. */
export type Exceeded = OwnLimit | OverBudget | TurnLimit

/** The run has made all model requests that it may make. */
interface TurnLimit {
  readonly limit: "turns"
  readonly of: number
  readonly next: 1
}

/** A limit of the run's own. */
interface OwnLimit {
  readonly limit: "tokens" | "cost"
  /** In tokens, or USD. */
  readonly of: number
  readonly used: number
  /** A part of it was estimated, not counted by the provider. */
  readonly isEstimated: boolean
  /** The least usage of the next request, which would exceed the limit; null if it is exceeded already. */
  readonly next: number | null
}

export const startSpending = (prompts: ReadonlyArray<string>, model: string | null, count: CountTokens): Spending => ({
  count,
  model,
  counted: noTokens,
  since: noTokens,
  context: countAll(count, prompts),
  caches: false,
  openTools: 0,
  requests: { counted: 0, said: 0, told: 0 },
  asked: true,
  begun: false,
  byAgent: false,
  exceeded: null
})

const said = (state: Spending, text: string, byTool = false): Spending => {
  const output = state.count(text)
  const input = state.asked ? state.context : 0
  const { counted, said, told } = state.requests
  const isTold = state.asked && !(byTool && state.begun)
  return {
    ...state,
    requests: { counted, said: said + (state.asked ? 1 : 0), told: told + (isTold ? 1 : 0) },
    asked: false,
    begun: true,
    byAgent: false,
    context: state.context + output,
    since: { ...state.since, input: state.since.input + input, output: state.since.output + output }
  }
}

/** Applies a usage report. Its increase is the last request's usage, and the next request reads these tokens again. */
const counted = (state: Spending, { agent = null, tokens }: EventOf<"Used">): Spending => {
  const request = tokensSince(tokens, state.counted)
  const read = request === null ? 0 : sizeOf(request)
  return {
    ...state,
    requests: { ...state.requests, counted: state.requests.counted + (read > 0 && agent === null ? 1 : 0) },
    counted: tokens,
    since: noTokens,
    // a report before any output belongs to the first request, and so does the next output
    asked: state.begun && state.asked,
    begun: true,
    byAgent: agent !== null,
    // the report does not include the latest tool results, but `state.context` does
    context: Math.max(state.context, read),
    caches: request === null ? state.caches : request.cacheRead + request.cacheWrite > 0
  }
}

const jsonText = (value: unknown): string => JSON.stringify(value) ?? ""

/** `within`: tools whose end starts no request: the answer tool, and tools that run at the model's provider. */
const after = (state: Spending, event: AgentEvent, within: ReadonlyArray<string | null>): Spending => {
  switch (event._tag) {
    case "Started":
      return { ...state, model: event.model ?? state.model }
    case "Text":
    case "Thought":
      return said(state, event.text)
    case "ToolStarted": {
      const next = said(state, jsonText(event.input), true)
      return within.includes(event.tool) ? next : { ...next, openTools: state.openTools + 1 }
    }
    case "ToolEnded": {
      if (within.includes(event.tool)) return state
      const openTools = Math.max(0, state.openTools - 1)
      return {
        ...state,
        openTools,
        byAgent: false,
        asked: openTools === 0,
        context: state.context + state.count(event.output)
      }
    }
    case "Used":
      return counted(state, event)
    default:
      return state
  }
}

/** Events after which a run continues to use tokens. */
const goesOn: ReadonlySet<AgentEvent["_tag"]> = new Set(["Text", "Thought", "ToolStarted"])

/** A model will be asked once more: a tool is running, or has returned its result, or a subagent is at work. */
const isToBeAsked = ({ asked, begun, byAgent, openTools }: Spending): boolean =>
  openTools > 0 || (asked && begun) || byAgent

/** The use so far, counted and estimated: tokens, and their cost (null: no price). */
export const usedSoFar = (state: Spending, prices: PriceTable) => {
  const tokens = addTokens(state.counted, state.since)
  return { tokens, usd: usdOf(state, prices, tokens), isEstimated: sizeOf(state.since) > 0 }
}

/** What tokens cost by the prices of a run's model; null: not known. */
export const usdOf = (
  { context, model }: Pick<Spending, "context" | "model">,
  prices: PriceTable,
  tokens: Tokens
): number | null =>
  model === null ? null : costOf(prices, model, { ...tokens, cacheWriteLong: 0, reasoning: 0 }, context)

/** The limit of model requests, if a request beyond it has begun or comes next; null otherwise. */
const turnsOver = (
  { countsRequests, maxTurns }: SpendingLimits,
  { asked, begun, requests: { counted, said, told } }: Spending
): TurnLimit | null => {
  const made = Math.max(counted, countsRequests === true ? told : said)
  if (maxTurns === undefined || made < maxTurns) return null
  return made > maxTurns || (asked && begun) ? { limit: "turns", of: maxTurns, next: 1 } : null
}

const exceededBy = (limits: SpendingLimits, state: Spending, prices: PriceTable): Exceeded | null => {
  const { maxCost, maxTokensTotal, shared = [] } = limits
  const turns = turnsOver(limits, state)
  if (turns !== null) return turns
  const tokens = addTokens(state.counted, state.since)
  const read = isToBeAsked(state) ? state.context : 0
  const next = addTokens(tokens, { ...noTokens, ...(state.caches ? { cacheRead: read } : { input: read }) })
  const isEstimated = sizeOf(state.since) > 0
  const over = (limit: OwnLimit["limit"], of: number, used: number, then: number): OwnLimit | null =>
    then > of ? { limit, of, used, isEstimated, next: used > of ? null : then - used } : null
  const size = Math.floor(sizeOf(tokens))
  const sizeThen = Math.floor(sizeOf(next))
  const byTokens = maxTokensTotal === undefined ? null : over("tokens", maxTokensTotal, size, sizeThen)
  if (byTokens !== null || (maxCost === undefined && shared.length === 0)) return byTokens
  const usd = usdOf(state, prices, tokens)
  const usdThen = usdOf(state, prices, next) ?? usd
  const byCost = maxCost === undefined || usd === null || usdThen === null ? null : over("cost", maxCost, usd, usdThen)
  return (
    byCost ?? overBudget(shared, { tokens: size, usd }, { tokens: sizeThen - size, usd: (usdThen ?? 0) - (usd ?? 0) })
  )
}

/** The limit that is used up, or that the first request's input alone would exceed; null if there is none. */
export const exceededByFirstRequest = (limits: SpendingLimits, state: Spending, prices: PriceTable): Exceeded | null =>
  exceededBy(limits, { ...state, begun: true }, prices)

/** The exceeded limit in words: `its next request would exceed the limit of tokens (5000): …`. */
export const exceededText = (exceeded: Exceeded): string => {
  if ("most" in exceeded) return budgetWords(exceeded)
  if (exceeded.limit === "turns") return `it reached the limit of model turns (${exceeded.of})`
  const { isEstimated, limit, next, of, used } = exceeded
  const amount = (count: number) => amountWords(limit, count)
  const what = limit === "tokens" ? `the limit of tokens (${of})` : `the limit of cost ($${of})`
  const about = isEstimated ? "about " : ""
  return next === null
    ? `it exceeded ${what} with ${about}${amount(used)}`
    : `its next request would exceed ${what}: ${about}${amount(used)} used, about ${amount(next)} more`
}

/** Handles an event; returns whether the run must end: it exceeds a limit, or its next request would. */
export const spend = (
  limits: SpendingLimits,
  prices: PriceTable,
  before: Spending,
  event: AgentEvent,
  within: ReadonlyArray<string> = []
): readonly [Spending, boolean] => {
  const state = after(before, event, within)
  const exceeded = exceededBy(limits, state, prices)
  return [{ ...state, exceeded }, exceeded !== null && (goesOn.has(event._tag) || isToBeAsked(state))]
}

/** The rest of the limits of cost and tokens for a further turn; null if nothing is left. */
export const limitsLeft = (
  { maxCost, maxTokensTotal }: SpendingLimits,
  used: { readonly tokens: number; readonly usd: number | null }
): SpendingLimits | null => {
  const cost = maxCost === undefined ? undefined : maxCost - (used.usd ?? 0)
  const tokens = maxTokensTotal === undefined ? undefined : maxTokensTotal - used.tokens
  if ((cost !== undefined && cost <= 0) || (tokens !== undefined && tokens <= 0)) return null
  return {
    ...(cost === undefined ? {} : { maxCost: cost }),
    ...(tokens === undefined ? {} : { maxTokensTotal: tokens })
  }
}
