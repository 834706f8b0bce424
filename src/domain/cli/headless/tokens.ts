import { Struct } from "effect"
import { combined } from "../usage/combined.ts"
import { Tokens } from "../usage/Usage.ts"
import type { RunTokens } from "./AgentResult.ts"

/** How many tokens a text has, with their fraction: a text may come in pieces of a letter. */
export type CountTokens = (text: string) => number

const encoder = new TextEncoder()
/** By the rule of thumb: a token for each 4 bytes of UTF-8. */
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

/** The usage between two counts of one session; null if the later is smaller, because they belong to two sessions. */
export const tokensSince = (after: Tokens, before: Tokens): Tokens | null => {
  const difference = lessTokens(after, before)
  return Object.values(difference).some((count) => count < 0) ? null : difference
}
