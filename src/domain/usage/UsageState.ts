import { HashMap, Option } from "effect"
import { costOf, findPrice, type PriceTable } from "./Prices.ts"
import { type Tokens, type Usage } from "./Usage.ts"
import {
  type Billed,
  minus,
  noTokens,
  plus,
  promptOf,
  sizeOf,
  type UsageFact,
  type UsageReader
} from "./UsageReader.ts"

interface Utterance {
  readonly text: string
  readonly at: number | null
}

/**
 * Tokens of requests that are priced alike: of one model, with prompts of one size by the thousand (tiers begin at
 * thousands).
 */
interface Entry {
  readonly model: string | null
  /** The prompt size by which all of them are priced. */
  readonly prompt: number
  readonly tokens: Billed
}

type Ledger = HashMap.HashMap<string, Entry>

/** A request that was counted, to recognise its next record. */
interface Counted {
  readonly id: string
  readonly model: string | null
  readonly prompt: number
  readonly tokens: Billed
}

/** The sum of the facts so far; its size is bounded. */
export interface UsageState {
  readonly model: string | null
  readonly cwd: string | null
  readonly context: number | null
  readonly window: number | null
  readonly ledger: Ledger
  /** The cost that the CLI itself reported, and what was billed since. */
  readonly reportedCost: number | null
  readonly sinceReport: Ledger
  readonly total: Billed | null
  readonly last: Billed | null
  /** The CLI's own totals when it last reported them. */
  readonly counted: Billed | null
  /** The latest requests: a CLI may write several records of one, not far apart. */
  readonly recent: ReadonlyArray<Counted>
  readonly youngest: number | null
  readonly prompt: Utterance | null
  readonly response: Utterance | null
  /** The session of this account, and sessions that are parts of it. */
  readonly session: string | null
  readonly children: ReadonlyArray<string>
}

const emptyLedger: Ledger = HashMap.empty()

/** The state before any fact. */
export const start: UsageState = {
  model: null,
  cwd: null,
  context: null,
  window: null,
  ledger: emptyLedger,
  reportedCost: null,
  sinceReport: emptyLedger,
  total: null,
  last: null,
  counted: null,
  recent: [],
  youngest: null,
  prompt: null,
  response: null,
  session: null,
  children: []
}

const recentKept = 64
const childrenKept = 256

const add = (ledger: Ledger, model: string | null, prompt: number, tokens: Billed): Ledger => {
  const size = Math.ceil(prompt / 1000)
  const key = `${model ?? ""}\n${size}`
  const before = Option.getOrNull(HashMap.get(ledger, key))
  return HashMap.set(ledger, key, {
    model,
    prompt: size * 1000,
    tokens: before === null ? tokens : plus(before.tokens, tokens)
  })
}

const book = (state: UsageState, model: string | null, prompt: number, tokens: Billed): UsageState => ({
  ...state,
  ledger: add(state.ledger, model, prompt, tokens),
  sinceReport: state.reportedCost === null ? state.sinceReport : add(state.sinceReport, model, prompt, tokens),
  total: plus(state.total ?? noTokens, tokens)
})

const billed = (
  state: UsageState,
  { again, at, id, model: named, tokens }: Extract<UsageFact, { readonly _tag: "Billed" }>
): UsageState => {
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
      recent: state.recent.map((one) => (one.id === id ? { ...one, model, prompt, tokens } : one))
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

/**
 * Adds the growth of the CLI's totals: its last request, or more, without further detail. Smaller totals begin a new
 * count.
 */
const totals = (state: UsageState, { last, tokens }: Extract<UsageFact, { readonly _tag: "Totals" }>): UsageState => {
  const grown = minus(tokens, state.counted ?? noTokens)
  const isReset = Object.values(grown).some((part) => part < 0)
  const from: UsageState = isReset ? { ...state, ledger: emptyLedger, sinceReport: emptyLedger, total: null } : state
  const more = isReset ? tokens : grown
  const isOneRequest = last !== null && sizeOf(last) === sizeOf(more)
  const next = sizeOf(more) === 0 ? from : book(from, state.model, isOneRequest ? promptOf(last) : 0, more)
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
      return { ...state, reportedCost: fact.usd, sinceReport: emptyLedger }
    case "Prompt":
      return { ...state, prompt: { text: fact.text, at: fact.at } }
    case "Response":
      return { ...state, response: { text: fact.text, at: fact.at } }
    case "Child":
      return state
  }
}

/** Adds one fact. A fact of another session that is not a part of this one begins a new account. */
export const fold = (state: UsageState, fact: UsageFact): UsageState => {
  const { session } = fact
  if (session === undefined) return apply(state, fact)
  if (fact._tag === "Child") {
    return state.children.includes(session)
      ? state
      : { ...state, children: [...state.children.slice(1 - childrenKept), session] }
  }
  if (state.children.includes(session)) return state
  return apply(state.session === session ? state : { ...start, session, children: state.children }, fact)
}

/** What requests cost by the price table, those that have a price; null if none has. */
const estimate = (ledger: Ledger, prices: PriceTable): number | null => {
  let sum: number | null = null
  for (const { model, prompt, tokens } of HashMap.values(ledger)) {
    const usd = costOf(prices, model, tokens, prompt)
    if (usd !== null) sum = (sum ?? 0) + usd
  }
  return sum
}

/** Removes the noise of binary fractions. */
const rounded = (usd: number): number => Number(usd.toFixed(9))

const costIn = ({ ledger, reportedCost, sinceReport }: UsageState, prices: PriceTable): Usage["cost"] => {
  const later = estimate(reportedCost === null ? ledger : sinceReport, prices)
  if (reportedCost === null) return later === null ? null : { usd: rounded(later), estimated: true }
  return later === null || later === 0
    ? { usd: rounded(reportedCost), estimated: false }
    : { usd: rounded(reportedCost + later), estimated: true }
}

const tokensOf = (tokens: Billed | null): Tokens | null =>
  tokens === null
    ? null
    : { input: tokens.input, cacheRead: tokens.cacheRead, cacheWrite: tokens.cacheWrite, output: tokens.output }

export interface UsageSources {
  /** From hooks and status lines. */
  readonly reported: UsageState
  /** From the transcript. `whole`: it was read from beginning to end; sums of a part do not count. */
  readonly transcript: UsageState
  readonly whole: boolean
}

/** A session's usage, each value from the best source: the CLI's own report before the sum of its transcript. */
export const usageOf = (
  reader: UsageReader,
  { reported, transcript, whole }: UsageSources,
  prices: PriceTable,
  aside: unknown = null
): Usage => {
  const model = reported.model ?? transcript.model
  const contextTokens = reported.context ?? transcript.context
  const window =
    reported.window ??
    transcript.window ??
    (model === null && contextTokens === null
      ? null
      : reader.window({
          model,
          used: contextTokens,
          cwd: transcript.cwd ?? reported.cwd,
          listed: findPrice(prices, model)?.window ?? null,
          aside
        }))
  const sums = whole && (transcript.total !== null || transcript.reportedCost !== null) ? transcript : reported
  return {
    model,
    contextTokens,
    window,
    lastTurn: tokensOf(transcript.last ?? reported.last),
    session: tokensOf(sums.total),
    cost: costIn(reported.reportedCost === null ? sums : reported, prices),
    lastPrompt: (transcript.prompt ?? reported.prompt)?.text ?? null,
    lastResponse: (transcript.response ?? reported.response)?.text ?? null
  }
}
