import { Struct } from "effect"
import { combined } from "../usage/combined.ts"
import { Tokens } from "../usage/Usage.ts"
import type { RunTokens } from "./AgentResult.ts"

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
