import { HashMap, Option } from "effect"
import { type Billed, minus, nothingBilled, plus, promptOf, sizeOf, type UsageFact } from "./UsageReader.ts"

interface Utterance {
  readonly text: string
  readonly at: number | null
}

/** Tokens with the same price: of one model, with prompts of one size in thousands, at which tiers begin. */
interface Entry {
  readonly model: string | null
  readonly prompt: number
  readonly tokens: Billed
}

export type Ledger = HashMap.HashMap<string, Entry>

/** A counted request, to recognise its next record. */
interface Counted extends Entry {
  readonly id: string
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
  readonly counted: Billed | null
  /** The latest requests: a CLI may write several records of one, close together. */
  readonly recent: ReadonlyArray<Counted>
  readonly youngest: number | null
  readonly prompt: Utterance | null
  readonly response: Utterance | null
  /** The session of this account, and the sessions that are parts of it. */
  readonly session: string | null
  readonly children: ReadonlyArray<string>
  readonly parts: ReadonlyMap<string, UsageState>
  /** The reported cost excludes the session's parts. It covers the time until `reportedAt`. */
  readonly reportedOwn: boolean
  readonly reportedAt: number | null
  readonly firstCost: number | null
  /** Why something that was billed since the report is not counted. */
  readonly uncounted: string | null
  /** Parts that the transcript has named since the report. */
  readonly named: ReadonlyArray<string>
  readonly oldest: number | null
  /** When the conversation was continued here, and the state before. `earlier` null: nothing has come since. */
  readonly joinedAt: number | null
  readonly earlier: UsageState | null
}

const emptyLedger: Ledger = HashMap.empty()

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
  children: [],
  parts: new Map(),
  reportedOwn: false,
  reportedAt: null,
  firstCost: null,
  uncounted: null,
  named: [],
  oldest: null,
  joinedAt: null,
  earlier: null
}

export const startAt = (joinedAt: number): UsageState => ({ ...start, joinedAt })

/** The state when another conversation is continued: the reported cost is not that one's. */
export const joinedAnother = (state: UsageState): UsageState => ({ ...state, firstCost: state.reportedCost })

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
  total: plus(state.total ?? nothingBilled, tokens)
})

const billed = (
  state: UsageState,
  { again, aside, at, id, model: named, tokens }: Extract<UsageFact, { readonly _tag: "Billed" }>
): UsageState => {
  if (sizeOf(tokens) === 0) return state
  const model = named ?? state.model
  const prompt = promptOf(tokens)
  const before = id === null ? undefined : state.recent.find((one) => one.id === id)
  if (before !== undefined) {
    if (sizeOf(tokens) <= sizeOf(before.tokens)) return state
    const undone = book(state, before.model, before.prompt, minus(nothingBilled, before.tokens))
    return {
      ...book(undone, model, prompt, tokens),
      last: aside === true ? state.last : tokens,
      recent: state.recent.map((one) => (one.id === id ? { ...one, model, prompt, tokens } : one))
    }
  }
  if (again === true && state.youngest !== null && (at === null || at <= state.youngest)) return state
  return {
    ...book(state, model, prompt, tokens),
    last: aside === true ? state.last : tokens,
    recent: id === null ? state.recent : [...state.recent.slice(1 - recentKept), { id, model, prompt, tokens }],
    oldest: at === null ? state.oldest : Math.min(at, state.oldest ?? at),
    youngest: at === null ? state.youngest : Math.max(at, state.youngest ?? at)
  }
}

/**
 * Adds the growth of the CLI's totals: its last request, or more, without further detail. Smaller totals begin a new
 * count. What the first totals have beyond their last request was used before: a fork's count starts at its origin's.
 */
const totals = (state: UsageState, fact: Extract<UsageFact, { readonly _tag: "Totals" }>): UsageState => {
  const { at, last, tokens } = fact
  if (state.counted === null && last !== null && sizeOf(last) > 0 && sizeOf(tokens) > sizeOf(last)) {
    const before = book({ ...state, counted: minus(tokens, last) }, state.model, 0, minus(tokens, last))
    const isBrought = state.joinedAt !== null && (state.earlier === null || state.earlier.total === null)
    return totals(isBrought ? { ...before, earlier: { ...before, joinedAt: null, earlier: null } } : before, fact)
  }
  const grown = minus(tokens, state.counted ?? nothingBilled)
  const isReset = Object.values(grown).some((part) => part < 0)
  const from: UsageState = isReset ? { ...state, ledger: emptyLedger, sinceReport: emptyLedger, total: null } : state
  const more = isReset ? tokens : grown
  const isOneRequest = last !== null && sizeOf(last) === sizeOf(more)
  const next = sizeOf(more) === 0 ? from : book(from, state.model, isOneRequest ? promptOf(last) : 0, more)
  const youngest = at == null ? next.youngest : Math.max(at, next.youngest ?? at)
  return { ...next, youngest, counted: tokens, last: last !== null && sizeOf(last) > 0 ? last : next.last }
}

/** Keeps the state before the first fact after the conversation was continued. */
const withEarlier = (state: UsageState, fact: UsageFact): UsageState => {
  const at = "at" in fact ? fact.at : null
  if (state.joinedAt === null || state.earlier !== null || at == null || at < state.joinedAt) return state
  return { ...state, earlier: { ...state, joinedAt: null } }
}

const apply = (before: UsageState, fact: UsageFact): UsageState => {
  const state = withEarlier(before, fact)
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
      return {
        ...state,
        reportedCost: fact.usd,
        reportedOwn: fact.own === true,
        reportedAt: Math.max(fact.at ?? -Infinity, state.youngest ?? -Infinity),
        firstCost: state.firstCost ?? fact.usd,
        sinceReport: emptyLedger,
        uncounted: null,
        named: []
      }
    case "Part":
      return state.named.includes(fact.id)
        ? state
        : { ...state, named: [...state.named.slice(1 - childrenKept), fact.id] }
    case "Uncounted":
      return { ...state, uncounted: fact.why }
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
  if (state.children.includes(session)) {
    const part = apply(state.parts.get(session) ?? start, fact)
    const parts = new Map(state.parts).set(session, part)
    for (const known of parts.keys()) if (!state.children.includes(known)) parts.delete(known)
    return { ...state, parts }
  }
  if (state.session === session) return apply(state, fact)
  const { children, joinedAt } = state
  return apply({ ...start, session, children, joinedAt }, fact)
}
