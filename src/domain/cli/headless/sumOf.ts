import type { AgentResult } from "./AgentResult.ts"
import { addModels, addReasoning } from "./decoderState.ts"
import { addTokens } from "./tokens.ts"

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
  reasoning: addReasoning(first.reasoning ?? null, second.reasoning ?? null),
  models: both(first.models ?? null, second.models ?? null, addModels),
  cost: both(first.cost, second.cost, (a, b) => ({ usd: a.usd + b.usd, estimated: a.estimated || b.estimated })),
  turns: both(first.turns, second.turns, (a, b) => a + b),
  refused: [...first.refused, ...second.refused],
  startedAt: first.startedAt
})
