import { assert, describe, it } from "@effect/vitest"
import { countByBytes } from "../../../../../src/domain/cli/agents/tokens.ts"
import { chatUsage, runTokens } from "../../../../../src/domain/cli/agents/http/ChatUsage.ts"

describe("tokens", () => {
  it.each<readonly [string, unknown, object | null]>([
    [
      "plain",
      { prompt_tokens: 35, completion_tokens: 10, total_tokens: 45 },
      { tokens: { input: 35, cacheRead: 0, cacheWrite: 0, output: 10 }, total: 45, context: 45, usd: null }
    ],
    [
      "cached, reasoning within, cost",
      {
        prompt_tokens: 100,
        completion_tokens: 30,
        total_tokens: 130,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 20 },
        cost: 0.25
      },
      { tokens: { input: 40, cacheRead: 60, cacheWrite: 0, output: 30 }, total: 130, context: 110, usd: 0.25 }
    ],
    [
      "reasoning beside",
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 40,
        completion_tokens_details: { reasoning_tokens: 25 }
      },
      { tokens: { input: 10, cacheRead: 0, cacheWrite: 0, output: 30 }, total: 40, context: 15, usd: null }
    ],
    [
      "by other names",
      { input_tokens: 3, output_tokens: 4 },
      { tokens: { input: 3, cacheRead: 0, cacheWrite: 0, output: 4 }, total: 7, context: 7, usd: null }
    ],
    [
      "more cached than read",
      { prompt_tokens: 3, completion_tokens: 1, prompt_cache_hit_tokens: 9 },
      { tokens: { input: 0, cacheRead: 3, cacheWrite: 0, output: 1 }, total: 4, context: 4, usd: null }
    ],
    ["nothing", {}, null],
    ["null", null, null],
    ["text", { prompt_tokens: "3" }, null]
  ])("%s", (_, value, expected) => assert.deepStrictEqual(chatUsage(value), expected as ReturnType<typeof chatUsage>))

  it("are estimated where nobody counted, and it is said", () =>
    assert.deepStrictEqual(runTokens(null, countByBytes("x".repeat(41)), countByBytes("x".repeat(9))), {
      input: 10,
      cacheRead: 0,
      cacheWrite: 0,
      output: 2,
      total: 12,
      estimated: true
    }))
})
