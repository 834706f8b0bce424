import { assert, it } from "@effect/vitest"
import type { AgentResult } from "../../../../src/domain/cli/headless/AgentResult.ts"
import { sumOf } from "../../../../src/domain/cli/headless/sumOf.ts"

const tokens = { input: 10, output: 4, cacheRead: 2, cacheWrite: 1 }
const turn: AgentResult = {
  provider: "p",
  text: "a",
  answers: ["a"],
  json: null,
  sessionId: "s",
  model: "m",
  tokens: { ...tokens, total: 17, estimated: false },
  reasoning: 3,
  models: [{ model: "m", tokens, usd: 0.5 }],
  cost: { usd: 0.5, estimated: false },
  turns: 2,
  refused: [],
  stopReason: "end_turn",
  startedAt: "2026-11-30T10:00:00.000Z",
  completedAt: "2026-11-30T10:00:05.000Z"
}

it("two turns that count as one have the use of both, of each model and of thoughts too", () => {
  const small = { model: "small", tokens, usd: null }
  const sum = sumOf(turn, { ...turn, text: "b", models: [...turn.models!, small], startedAt: turn.completedAt })
  assert.deepStrictEqual(sum, {
    ...turn,
    text: "b",
    tokens: { input: 20, output: 8, cacheRead: 4, cacheWrite: 2, total: 34, estimated: false },
    reasoning: 6,
    models: [{ model: "m", tokens: { input: 20, output: 8, cacheRead: 4, cacheWrite: 2 }, usd: 1 }, small],
    cost: { usd: 1, estimated: false },
    turns: 4
  })
})

it("what one of them does not tell is the other's", () => {
  const silent = { ...turn, reasoning: null, models: null, cost: null, turns: null }
  for (const sum of [sumOf(silent, turn), sumOf(turn, silent)]) {
    assert.deepStrictEqual([sum.reasoning, sum.models, sum.turns], [3, turn.models, 2])
    assert.strictEqual(sum.tokens.total, 34)
  }
})
