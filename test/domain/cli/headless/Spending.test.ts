import { assert, describe, it } from "@effect/vitest"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import {
  exceededText,
  limitsLeft,
  spend,
  type SpendingLimits,
  startSpending
} from "../../../../src/domain/cli/headless/Spending.ts"
import { countByBytes } from "../../../../src/domain/cli/headless/tokens.ts"
import { readPrices } from "../../../../src/domain/cli/usage/Prices.ts"

const prices = readPrices(
  { m: { input_cost_per_token: 0.001, output_cost_per_token: 0.002, cache_read_input_token_cost: 0.0005 } },
  "leap"
)

const text = (length: number): AgentEvent => ({
  _tag: "Text",
  text: "x".repeat(length),
  delta: true,
  message: null,
  agent: null
})
const used = (input: number, output: number, cacheRead = 0): AgentEvent => ({
  _tag: "Used",
  tokens: { input, output, cacheRead, cacheWrite: 0 }
})
const usedBy = (agent: string, input: number, output: number): AgentEvent =>
  ({ ...used(input, output), agent }) as AgentEvent
const tool: AgentEvent = { _tag: "ToolStarted", id: null, tool: "t", preview: "", input: {}, agent: null }
const toolEnded: AgentEvent = { _tag: "ToolEnded", id: null, tool: "t", ok: true, output: "y".repeat(400), agent: null }
const answer: AgentEvent = { _tag: "ToolStarted", id: null, tool: "answer", preview: "", input: {}, agent: null }
const answered: AgentEvent = { _tag: "Answered", text: "" }
const started: AgentEvent = { _tag: "Started", sessionId: null, model: "m" }

/** At which event such a run is ended, and for what. The prompt has 10 tokens. */
const endOf = (limits: SpendingLimits, events: ReadonlyArray<AgentEvent>) => {
  let state = startSpending(["p".repeat(40)], null, countByBytes)
  for (const [at, event] of events.entries()) {
    const [next, over] = spend(limits, prices, state, event, ["answer"])
    state = next
    if (over) return [at, state.exceeded === null ? null : exceededText(state.exceeded)]
  }
  return [null, state.exceeded === null ? null : exceededText(state.exceeded)]
}

describe("the limits of a run", () => {
  it.each<[string, SpendingLimits, ReadonlyArray<AgentEvent>, readonly [number | null, string | null]]>([
    ["none", {}, [text(9_999), used(9_999, 9_999), text(1)], [null, null]],
    [
      "pieces of a letter add up",
      { maxTokensTotal: 11 },
      Array.from({ length: 9 }, () => text(1)),
      [7, "it exceeded the limit of tokens (11) with about 12"]
    ],
    [
      "a count beyond the limit ends what goes on after it",
      { maxTokensTotal: 100 },
      [used(90, 20), tool],
      [1, "it exceeded the limit of tokens (100) with about 110"]
    ],
    [
      "a request is not begun that would exceed it by what it reads: what the last one read and said",
      { maxTokensTotal: 250 },
      [text(40), tool, used(90, 40), toolEnded, text(4)],
      [2, "its next request would exceed the limit of tokens (250): 130 used, about 130 more"]
    ],
    [
      "where the count comes behind the tool",
      { maxTokensTotal: 3_200 },
      [text(4), tool, toolEnded, used(900, 100), text(4), tool, toolEnded, used(2_000, 200)],
      [7, "its next request would exceed the limit of tokens (3200): 2200 used, about 1200 more"]
    ],
    [
      "one that fits is",
      { maxTokensTotal: 400 },
      [text(40), tool, used(90, 40), toolEnded, text(4), used(320, 60), answered],
      [null, null]
    ],
    [
      "what its subagents are counted",
      { maxTokensTotal: 400 },
      [text(4), tool, used(100, 10), usedBy("helper", 250, 20)],
      [3, "its next request would exceed the limit of tokens (400): 270 used, about 160 more"]
    ],
    [
      "what its subagents are counted where no tool of its own is told",
      { maxTokensTotal: 400 },
      [text(4), used(100, 10), usedBy("helper", 250, 20)],
      [2, "its next request would exceed the limit of tokens (400): 270 used, about 160 more"]
    ],
    [
      "turns, and none of its subagents' is one of its own",
      { maxTurns: 2, countsRequests: true },
      [
        text(4),
        tool,
        used(100, 10),
        usedBy("helper", 110, 20),
        usedBy("helper", 130, 30),
        toolEnded,
        text(4),
        used(300, 40)
      ],
      [null, null]
    ],
    [
      "none follows the tool that gives the answer",
      { maxTokensTotal: 140 },
      [text(40), answer, used(90, 40), answered],
      [null, null]
    ],
    [
      "cost of what it has in its cache, where it has one",
      { maxCost: 0.25 },
      [started, text(40), tool, used(10, 40, 100), toolEnded],
      [4, "its next request would exceed the limit of cost ($0.25): $0.1400 used, about $0.1250 more"]
    ],
    ["cost of a model without a price", { maxCost: 0.05 }, [used(3_000, 1_500), text(4)], [null, null]]
  ])("%s", (_, limits, events, expected) => {
    assert.deepStrictEqual(endOf(limits, events), [...expected])
  })
  it("leave what is left of them to a further turn", () => {
    const limits = { maxCost: 1, maxTokensTotal: 100 }
    assert.deepStrictEqual(limitsLeft(limits, { tokens: 60, usd: 0.25 }), { maxCost: 0.75, maxTokensTotal: 40 })
    assert.deepStrictEqual(limitsLeft({ maxCost: 1 }, { tokens: 60, usd: null }), { maxCost: 1 })
    assert.isNull(limitsLeft(limits, { tokens: 100, usd: 0 }))
    assert.isNull(limitsLeft(limits, { tokens: 1, usd: 1 }))
  })
})
