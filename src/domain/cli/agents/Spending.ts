import { costOf, type PriceTable } from "../usage/Prices.ts"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentEvent } from "./AgentEvent.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import { addTokens, countAll, type CountTokens, noTokens, totalOf } from "./tokens.ts"

/** What a run may use. */
export type SpendingLimits = Pick<AgentOptions, "maxCost" | "maxTokensTotal">

/**
 * What a run has used so far, as its events tell. Between two counts of its provider's, and for one that counts only at
 * the end, the texts are counted: each turn of the model reads all that was said before it.
 */
export interface Spending {
  readonly count: CountTokens
  readonly model: string | null
  readonly counted: Tokens
  /** Reckoned since the last count. */
  readonly since: Tokens
  /** Tokens of the conversation, which the model's next turn reads. */
  readonly context: number
  readonly openTools: number
  /** What the model says next begins a turn. */
  readonly asked: boolean
  /** The limit that was exceeded, with what was used; null while none is. */
  readonly exceeded: string | null
}

export const nothingSpent = (prompts: ReadonlyArray<string>, model: string | null, count: CountTokens): Spending => ({
  count,
  model,
  counted: noTokens,
  since: noTokens,
  context: countAll(count, prompts),
  openTools: 0,
  asked: true,
  exceeded: null
})

const said = (state: Spending, text: string): Spending => {
  const output = state.count(text)
  const input = state.asked ? state.context : 0
  return {
    ...state,
    asked: false,
    context: state.context + output,
    since: { ...state.since, input: state.since.input + input, output: state.since.output + output }
  }
}

/** An input that JSON can say, as its text. */
const jsonText = (value: unknown): string => JSON.stringify(value) ?? ""

const after = (state: Spending, event: AgentEvent): Spending => {
  switch (event._tag) {
    case "Started":
      return { ...state, model: event.model ?? state.model }
    case "Text":
    case "Thought":
      return said(state, event.text)
    case "ToolStarted":
      return { ...said(state, jsonText(event.input)), openTools: state.openTools + 1 }
    case "ToolEnded": {
      const openTools = Math.max(0, state.openTools - 1)
      return { ...state, openTools, asked: openTools === 0, context: state.context + state.count(event.output) }
    }
    case "Used":
      return { ...state, counted: event.tokens, since: noTokens }
    default:
      return state
  }
}

/** Events with which a run goes on using tokens. */
const goesOn: ReadonlySet<AgentEvent["_tag"]> = new Set(["Text", "Thought", "ToolStarted"])

const exceededBy = (
  { maxCost, maxTokensTotal }: SpendingLimits,
  { context, counted, model, since }: Spending,
  prices: PriceTable
): string | null => {
  const tokens = addTokens(counted, since)
  const about = totalOf(since) > 0 ? "about " : ""
  const total = Math.floor(totalOf(tokens))
  if (maxTokensTotal !== undefined && total > maxTokensTotal)
    return `the limit of tokens (${maxTokensTotal}) with ${about}${total}`
  const usd =
    maxCost === undefined || model === null
      ? null
      : costOf(prices, model, { ...tokens, cacheWriteLong: 0, reasoning: 0 }, context)
  return maxCost !== undefined && usd !== null && usd > maxCost
    ? `the limit of cost ($${maxCost}) with ${about}$${usd.toFixed(4)}`
    : null
}

/**
 * Takes an event, and tells whether the run is to be ended at it: it goes on although a limit is exceeded. A count that
 * exceeds one ends nothing yet, since the answer may be there with it.
 */
export const spend = (
  limits: SpendingLimits,
  prices: PriceTable,
  before: Spending,
  event: AgentEvent
): readonly [Spending, boolean] => {
  const state = after(before, event)
  const exceeded = exceededBy(limits, state, prices) ?? before.exceeded
  return [{ ...state, exceeded }, exceeded !== null && goesOn.has(event._tag)]
}

/** What is left of the limits for a further turn; null where nothing is. */
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
