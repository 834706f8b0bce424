import { HashMap, Option } from "effect"
import { costOf, findPrice, type PriceTable } from "./Prices.ts"
import { type Tokens, type Usage } from "./Usage.ts"
import { type Billed, minus, noTokens, plus, promptOf, sizeOf, type UsageFact, type UsageReader } from "./UsageReader.ts"

interface Said {
  readonly text: string
  readonly at: number | null
}

/** Tokens of requests that are priced alike: of one model, with prompts of one size by the thousand (tiers begin at thousands). */
interface Entry {
  readonly model: string | null
  /** A prompt's size that stands for all of them. */
  readonly prompt: number
  readonly tokens: Billed
}

type Ledger = HashMap.HashMap<string, Entry>

/** A request that was counted, for its next record. */
interface Counted {
  readonly id: string
  readonly model: string | null
  readonly prompt: number
  readonly tokens: Billed
}

/** What facts have told so far: bounded, however many they are. */
export interface UsageState {
  readonly model: string | null
  readonly cwd: string | null
  readonly context: number | null
  readonly window: number | null
  readonly ledger: Ledger
  /** What the CLI itself said it cost, and what was billed after it said so. */
  readonly told: number | null
  readonly since: Ledger
  readonly total: Billed | null
  readonly last: Billed | null
  /** The CLI's own totals when it told them last. */
  readonly counted: Billed | null
  /** The latest requests: a CLI may write several records of one, not far apart. */
  readonly recent: ReadonlyArray<Counted>
  readonly youngest: number | null
  readonly prompt: Said | null
  readonly response: Said | null
  /** The session that this is about, and sessions that are parts of it. */
  readonly session: string | null
  readonly children: ReadonlyArray<string>
}

const nothing: Ledger = HashMap.empty()

/** Before anything is told. */
export const start: UsageState = {
  model: null, cwd: null, context: null, window: null, ledger: nothing, told: null, since: nothing, total: null, last: null,
  counted: null, recent: [], youngest: null, prompt: null, response: null, session: null, children: []
}

const recentKept = 64
const childrenKept = 256

const add = (ledger: Ledger, model: string | null, prompt: number, tokens: Billed): Ledger => {
  const size = Math.ceil(prompt / 1000)
  const key = `${model ?? ""}\n${size}`
  const before = Option.getOrNull(HashMap.get(ledger, key))
  return HashMap.set(ledger, key, { model, prompt: size * 1000, tokens: before === null ? tokens : plus(before.tokens, tokens) })
}

const book = (state: UsageState, model: string | null, prompt: number, tokens: Billed): UsageState => ({
  ...state,
  ledger: add(state.ledger, model, prompt, tokens),
  since: state.told === null ? state.since : add(state.since, model, prompt, tokens),
  total: plus(state.total ?? noTokens, tokens)
})

const billed = (state: UsageState, { again, at, id, model: named, tokens }: Extract<UsageFact, { readonly _tag: "Billed" }>): UsageState => {
  if (sizeOf(tokens) === 0) return state
  const model = named ?? state.model
  const prompt = promptOf(tokens)
  const before = id === null ? undefined : state.recent.find((one) => one.id === id)
  if (before !== undefined) {
    if (sizeOf(tokens) <= sizeOf(before.tokens)) return state
    const undone = book(state, before.model, before.prompt, minus(noTokens, before.tokens))
    return {
      ...book(undone, model, prompt, tokens),
      last: tokens,
      recent: state.recent.map((one) => one.id === id ? { ...one, model, prompt, tokens } : one)
    }
  }
  if (again === true && state.youngest !== null && (at === null || at <= state.youngest)) return state
  return {
    ...book(state, model, prompt, tokens),
    last: tokens,
    recent: id === null ? state.recent : [...state.recent.slice(1 - recentKept), { id, model, prompt, tokens }],
    youngest: at === null ? state.youngest : Math.max(at, state.youngest ?? at)
  }
}

/** The CLI's totals grew by its last request, or by more, of which nothing else is known; smaller totals are another count. */
const totals = (state: UsageState, { last, tokens }: Extract<UsageFact, { readonly _tag: "Totals" }>): UsageState => {
  const grown = minus(tokens, state.counted ?? noTokens)
  const anew = Object.values(grown).some((part) => part < 0)
  const from = anew ? { ...state, ledger: nothing, since: nothing, total: null } : state
  const more = anew ? tokens : grown
  const alone = last !== null && sizeOf(last) === sizeOf(more)
  const next = sizeOf(more) === 0 ? from : book(from, state.model, alone ? promptOf(last) : 0, more)
  return { ...next, counted: tokens, last: last !== null && sizeOf(last) > 0 ? last : next.last }
}

const apply = (state: UsageState, fact: UsageFact): UsageState => {
  switch (fact._tag) {
    case "Model":
      return { ...state, model: fact.model, cwd: fact.cwd ?? state.cwd }
    case "Billed":
      return billed(state, fact)
    case "Totals":
      return totals(state, fact)
    case "Last":
      return { ...state, last: fact.tokens }
    case "Context":
      return { ...state, context: fact.tokens ?? state.context, window: fact.window ?? state.window }
    case "Cost":
      return { ...state, told: fact.usd, since: nothing }
    case "Prompt":
      return { ...state, prompt: { text: fact.text, at: fact.at } }
    case "Response":
      return { ...state, response: { text: fact.text, at: fact.at } }
    case "Child":
      return state
  }
}

/** One fact more. A fact of another session than before, which is no part of it, begins a new account. */
export const fold = (state: UsageState, fact: UsageFact): UsageState => {
  const { session } = fact
  if (session === undefined) return apply(state, fact)
  if (fact._tag === "Child") {
    return state.children.includes(session) ? state : { ...state, children: [...state.children.slice(1 - childrenKept), session] }
  }
  if (state.children.includes(session)) return state
  return apply(state.session === session ? state : { ...start, session, children: state.children }, fact)
}

/** What requests cost by the price table: those that have a price; null where none has. */
const estimate = (ledger: Ledger, prices: PriceTable): number | null => {
  let sum: number | null = null
  for (const { model, prompt, tokens } of HashMap.values(ledger)) {
    const usd = costOf(prices, model, tokens, prompt)
    if (usd !== null) sum = (sum ?? 0) + usd
  }
  return sum
}

/** Sums of binary fractions end in noise. */
const rounded = (usd: number): number => Number(usd.toFixed(9))

const costIn = ({ ledger, since, told }: UsageState, prices: PriceTable): Usage["cost"] => {
  const later = estimate(told === null ? ledger : since, prices)
  if (told === null) return later === null ? null : { usd: rounded(later), estimated: true }
  return later === null || later === 0 ? { usd: rounded(told), estimated: false } : { usd: rounded(told + later), estimated: true }
}

const plain = (tokens: Billed | null): Tokens | null =>
  tokens === null ? null : { input: tokens.input, cacheRead: tokens.cacheRead, cacheWrite: tokens.cacheWrite, output: tokens.output }

export interface UsageSources {
  /** What hooks told. */
  readonly told: UsageState
  /** What stands in the transcript. `whole`: read from its beginning to its end; sums of a part are none. */
  readonly written: UsageState
  readonly whole: boolean
}

/** What is known of a session, each from the best source: the CLI's own word before what its transcript adds up to. */
export const usageOf = (reader: UsageReader, { told, whole, written }: UsageSources, prices: PriceTable, aside: unknown = null): Usage => {
  const model = told.model ?? written.model
  const contextTokens = told.context ?? written.context
  const window = told.window ?? written.window ??
    (model === null && contextTokens === null ? null : reader.window({
      model, used: contextTokens, cwd: written.cwd ?? told.cwd, listed: findPrice(prices, model)?.window ?? null, aside
    }))
  const sums = whole && (written.total !== null || written.told !== null) ? written : told
  return {
    model,
    contextTokens,
    window,
    lastTurn: plain(written.last ?? told.last),
    session: plain(sums.total),
    cost: costIn(told.told === null ? sums : told, prices),
    lastPrompt: (written.prompt ?? told.prompt)?.text ?? null,
    lastResponse: (written.response ?? told.response)?.text ?? null
  }
}
