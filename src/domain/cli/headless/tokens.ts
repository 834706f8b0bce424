import { Struct } from "effect"
import { combined } from "../usage/combined.ts"
import { Tokens } from "../usage/Usage.ts"
import type { RunTokens, AgentResult } from "./AgentResult.ts"

/** Counts a text's tokens. The count may be a fraction, because an answer may arrive letter by letter. */
export type CountTokens = (text: string) => number

const encoder = new TextEncoder()
/** A rule of thumb: four bytes of UTF-8 are one token. */
export const countByBytes: CountTokens = (text) => encoder.encode(text).length / 4

export const countAll = (count: CountTokens, texts: ReadonlyArray<string>): number =>
  texts.reduce((sum, text) => sum + count(text), 0)

/** The tokens of a run whose provider counted none. */
export const estimatedTokens = (given: number, answered: number): RunTokens => {
  const [input, output] = [Math.floor(given), Math.floor(answered)]
  return { input, cacheRead: 0, cacheWrite: 0, output, total: input + output, estimated: true }
}

export const noTokens: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }

const classes = Struct.keys(Tokens.fields)
export const addTokens = combined(1, classes)
const lessTokens = combined(-1, classes)

/** The usage between two counts of a session; null if a number is smaller: the counts are of two sessions. */
export const tokensSince = (after: Tokens, before: Tokens): Tokens | null => {
  const difference = lessTokens(after, before)
  return Object.values(difference).some((count) => count < 0) ? null : difference
}

const both = <A>(a: A | null, b: A | null, add: (a: A, b: A) => A): A | null =>
  a === null || b === null ? (a ?? b) : add(a, b)

/** The result of two turns that the caller sees as one: the last answer, and the usage of both. */
export const sumOf = (first: AgentResult, second: AgentResult): AgentResult => ({
  ...second,
  sessionId: second.sessionId ?? first.sessionId,
  tokens: {
    ...addTokens(first.tokens, second.tokens),
    total: first.tokens.total + second.tokens.total,
    estimated: first.tokens.estimated || second.tokens.estimated
  },
  cost: both(first.cost, second.cost, (a, b) => ({ usd: a.usd + b.usd, estimated: a.estimated || b.estimated })),
  turns: both(first.turns, second.turns, (a, b) => a + b),
  refused: [...first.refused, ...second.refused],
  startedAt: first.startedAt
})
