import type { Tokens } from "../usage/Usage.ts"

export const noTokens: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }

export const addTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  output: a.output + b.output
})

/** What was used between two counts of one session; null where the later is smaller: they are of two sessions. */
export const tokensSince = (after: Tokens, before: Tokens): Tokens | null => {
  const difference = {
    input: after.input - before.input,
    cacheRead: after.cacheRead - before.cacheRead,
    cacheWrite: after.cacheWrite - before.cacheWrite,
    output: after.output - before.output
  }
  return Object.values(difference).some((count) => count < 0) ? null : difference
}

export const totalOf = ({ cacheRead, cacheWrite, input, output }: Tokens): number =>
  input + cacheRead + cacheWrite + output
