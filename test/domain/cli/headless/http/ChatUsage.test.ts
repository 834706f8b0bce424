import { assert, describe, it } from "@effect/vitest"
import { countByBytes } from "../../../../../src/domain/cli/headless/tokens.ts"
import { chatUsage, runTokens } from "../../../../../src/domain/cli/headless/http/ChatUsage.ts"

describe("tokens", () => {
  it.each<readonly [string, unknown, object | null]>([
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
      {
        tokens: { input: 40, cacheRead: 60, cacheWrite: 0, output: 30 },
        total: 130,
        context: 110,
        reasoning: 20,
        usd: 0.25
      }
    ],
    [
      "reasoning beside",
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 40,
        completion_tokens_details: { reasoning_tokens: 25 }
      },
      {
        tokens: { input: 10, cacheRead: 0, cacheWrite: 0, output: 30 },
        total: 40,
        context: 15,
        reasoning: 25,
        usd: null
      }
    ],
    [
      "more cached than read",
      { prompt_tokens: 3, completion_tokens: 1, prompt_cache_hit_tokens: 9 },
      { tokens: { input: 0, cacheRead: 3, cacheWrite: 0, output: 1 }, total: 4, context: 4, reasoning: null, usd: null }
    ],
    ["nothing", {}, null],
    ["null", null, null],
    ["text", { prompt_tokens: "3" }, null]
  ])("%s", (_, value, expected) => assert.deepStrictEqual(chatUsage(value), expected as ReturnType<typeof chatUsage>))

  it.each<readonly [string, object, readonly [input: number, read: number, write: number, output: number]]>([
    ["OpenAI, vLLM, Groq, Azure", { prompt_tokens_details: { cached_tokens: 12 } }, [7, 12, 0, 5]],
    ["Moonshot", { cached_tokens: 12 }, [7, 12, 0, 5]],
    ["DeepSeek", { prompt_cache_hit_tokens: 12, prompt_cache_miss_tokens: 7 }, [7, 12, 0, 5]],
    [
      "DeepSeek, twice",
      { prompt_cache_hit_tokens: 12, prompt_cache_miss_tokens: 7, prompt_tokens_details: { cached_tokens: 12 } },
      [7, 12, 0, 5]
    ],
    ["Mistral", { num_cached_tokens: 12 }, [7, 12, 0, 5]],
    ["OpenRouter", { prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 2 } }, [7, 10, 2, 5]],
    [
      "LiteLLM",
      {
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 2,
        prompt_tokens_details: { cached_tokens: 10, cache_creation_tokens: 2 }
      },
      [7, 10, 2, 5]
    ],
    ["LiteLLM, at the top alone", { cache_read_input_tokens: 10, cache_creation_input_tokens: 2 }, [7, 10, 2, 5]],
    ["within the details alone", { prompt_tokens_details: { cache_creation_tokens: 12 } }, [7, 0, 12, 5]],
    ["none of them", { prompt_tokens_details: { cached_tokens: 0 }, cache_read_input_tokens: 0 }, [19, 0, 0, 5]],
    ["no details", { prompt_tokens_details: null }, [19, 0, 0, 5]],
    ["beside the prompt, by the total", { cache_read_input_tokens: 10, total_tokens: 34 }, [19, 10, 0, 5]]
  ])("of the cache are told once, whatever their name: %s", (_, more, [input, cacheRead, cacheWrite, output]) => {
    const told = chatUsage({ prompt_tokens: 19, completion_tokens: 5, total_tokens: 24, ...more })
    assert.deepStrictEqual(told?.tokens, { input, cacheRead, cacheWrite, output })
    assert.strictEqual(told?.total, input + cacheRead + cacheWrite + output)
  })

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
