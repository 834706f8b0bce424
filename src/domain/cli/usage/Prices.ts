import { fieldsOf, windowOf } from "../../words/reading/Fields.ts"
import { type Billed, promptOf } from "./UsageReader.ts"

/** The price of a token of each class, in US dollars; a class without its own price is absent. */
export interface Rates {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  /** Written to a cache with a lifetime of an hour. */
  readonly cacheWriteLong?: number
  readonly reasoning?: number
}

/** A model's prices. Of its tiers (prompts of more than `above` tokens) the highest that applies counts. */
export interface ModelPrice {
  readonly rates: Rates
  readonly tiers: ReadonlyArray<{ readonly above: number; readonly rates: Rates }>
  readonly window: number | null
  /** The prices that leap ships, or the user's file. */
  readonly source: "leap" | "file"
}

export type PriceTable = ReadonlyMap<string, ModelPrice>

/** Names of LiteLLM's `model_prices_and_context_window.json`, which leap's own file and the user's share. */
const fields: Readonly<Record<string, keyof Rates>> = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cacheRead",
  cache_creation_input_token_cost: "cacheWrite",
  cache_creation_input_token_cost_above_1hr: "cacheWriteLong",
  output_cost_per_reasoning_token: "reasoning"
}

const tiered = /^(.+)_above_(\d{1,6})k_tokens$/

const priceOf = (value: unknown, source: ModelPrice["source"]): ModelPrice | null => {
  const entry = fieldsOf(value)
  const rates: Record<string, number> = {}
  const tiers = new Map<number, Record<string, number>>()
  for (const [name, rate] of Object.entries(entry)) {
    if (typeof rate !== "number" || !Number.isFinite(rate) || rate < 0) continue
    const [, base, thousands] = tiered.exec(name) ?? [name, name, null]
    const field = Object.hasOwn(fields, base ?? "") ? fields[base ?? ""] : undefined
    if (field === undefined) continue
    if (thousands === null) rates[field] = rate
    else {
      const above = Number(thousands) * 1000
      tiers.set(above, { ...tiers.get(above), [field]: rate })
    }
  }
  const window = windowOf(entry["max_input_tokens"])
  if (Object.keys(rates).length === 0 && tiers.size === 0 && window === null) return null
  return {
    rates,
    tiers: [...tiers].map(([above, rates]) => ({ above, rates })).sort((a, b) => b.above - a.above),
    window,
    source
  }
}

/** The models of a price file that have a price or a window. Total: invalid entries are left out. */
export const readPrices = (content: unknown, source: ModelPrice["source"]): PriceTable =>
  new Map(
    Object.entries(fieldsOf(content)).flatMap(([model, entry]) => {
      const price = model.startsWith("_") ? null : priceOf(entry, source)
      return price === null ? [] : [[model, price] as const]
    })
  )

/** The user's prices over leap's own: an entry of the user's replaces the model's whole entry. */
export const withUsersPrices = (own: PriceTable, users: PriceTable): PriceTable =>
  users.size === 0 ? own : new Map([...own, ...users])

/** A date after a model's name (`-20251101`, `@20251101`, `-2025-11-01`), and the mark of a long window. */
const suffixes = /(?:\[1m\])?(?:[-@](?:20\d{6}|20\d\d-\d\d-\d\d))?(?:\[1m\])?$/i

/** A model's entry: by its name, then without a provider's prefix, then without a date or `[1m]` at the end. */
export const findPrice = (prices: PriceTable, model: string | null): ModelPrice | null => {
  if (model === null || model === "") return null
  const bare = model.slice(model.lastIndexOf("/") + 1)
  for (const name of [model, bare, model.replace(suffixes, ""), bare.replace(suffixes, "")]) {
    const found = name === "" ? undefined : prices.get(name)
    if (found !== undefined) return found
  }
  return null
}

const rateOf = ({ rates, tiers }: ModelPrice, field: keyof Rates, prompt: number): number | undefined =>
  tiers.find(({ above, rates }) => prompt > above && rates[field] !== undefined)?.rates[field] ?? rates[field]

/** Whether tokens can be priced: a window alone is no price. */
const isPriced = ({ rates, tiers }: ModelPrice): boolean => Object.keys(rates).length > 0 || tiers.length > 0

/** The cost of tokens at a model's prices, null: none; the size of `prompt` decides the tier. */
export const costOf = (
  prices: PriceTable,
  model: string | null,
  tokens: Billed,
  prompt: number = promptOf(tokens)
): number | null => {
  const price = findPrice(prices, model)
  if (price === null || !isPriced(price)) return null
  const rate = (field: keyof Rates): number | undefined => rateOf(price, field, prompt)
  const output = rate("output") ?? 0
  const write = rate("cacheWrite") ?? 0
  return (
    tokens.input * (rate("input") ?? 0) +
    tokens.cacheRead * (rate("cacheRead") ?? 0) +
    (tokens.cacheWrite - tokens.cacheWriteLong) * write +
    tokens.cacheWriteLong * (rate("cacheWriteLong") ?? write) +
    (tokens.output - tokens.reasoning) * output +
    tokens.reasoning * (rate("reasoning") ?? output)
  )
}
