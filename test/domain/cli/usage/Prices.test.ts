import { assert, describe, it } from "@effect/vitest"
import { costOf, findPrice, withUsersPrices, readPrices } from "../../../../src/domain/cli/usage/Prices.ts"
import { nothingBilled } from "../../../../src/domain/cli/usage/UsageReader.ts"
import { shipped } from "../../../support/data/account.ts"
import { simple } from "../../../support/data/usage.ts"

const tokens = (part: Partial<typeof nothingBilled>) => ({ ...nothingBilled, ...part })

describe("the prices that leap ships", () => {
  it.each([
    "claude-opus-5-5",
    "claude-sonnet-4-5",
    "claude-haiku-4-5",
    "gpt-5.4",
    "gpt-6-sol",
    "o3",
    "gemini-2.5-pro",
    "gemini-3.1-pro-preview"
  ])("know %s: input and output, of dollars for a million, and a window", (model) => {
    const { rates, window } = findPrice(shipped, model) ?? assert.fail("unknown")
    for (const rate of [rates.input, rates.output])
      assert.isTrue(rate !== undefined && rate > 0.01e-6 && rate < 1000e-6, `${rate}`)
    assert.isTrue(window !== null && window >= 100_000 && window <= 2_000_000)
  })

  it("are of these families alone, and `_about` is no model", () => {
    assert.isAbove(shipped.size, 60)
    for (const model of shipped.keys()) assert.match(model, /^(fast\/)?(claude-|gpt-|o\d|gemini-)/)
    assert.isNull(findPrice(shipped, "_about"))
  })

  it("are what Claude Code itself reckoned for the same tokens", () => {
    const used = { input: 12, cacheWrite: 850, cacheRead: 15_000 }
    assert.closeTo(costOf(shipped, "claude-opus-5-5", tokens({ ...used, output: 1 })) ?? 0, 0.007318, 1e-12)
  })
})

describe("a model's prices", () => {
  it.each([
    ["its name", "plain", true],
    ["a provider before it", "openrouter/lab/plain", true],
    ["a date behind it", "plain-20251101", true],
    ["a date in the way of a cloud", "plain@20251101", true],
    ["a date with hyphens", "plain-2025-11-01", true],
    ["the mark of a long window", "plain[1m]", true],
    ["all of them", "lab/plain-20251101[1m]", true],
    ["another name", "plainer", false],
    ["a number that is no date", "plain-12345678", false],
    ["no name", "", false],
    ["nothing but a prefix", "lab/", false],
    ["nothing but a suffix", "[1m]", false],
    ["null", null, false]
  ])("are found by %s", (_, name, found) => assert.strictEqual(findPrice(simple, name) !== null, found))

  it("tiers count for prompts above them, class by class; without one the base does", () => {
    const cost = (prompt: number, part: Parameters<typeof tokens>[0]) => costOf(simple, "tiered", tokens(part), prompt)
    // no price of its own above 272k: the next lower tier's
    assert.deepStrictEqual(
      [200_000, 200_001, 272_001].map((prompt) => cost(prompt, { output: 1 })),
      [0.01, 0.02, 0.02]
    )
    assert.strictEqual(cost(500_000, { cacheRead: 1000 }), 0)
    assert.strictEqual(costOf(simple, "plain", tokens({ input: 500_000 })), 500)
    // the prompt is all that went in
    assert.closeTo(costOf(simple, "tiered", tokens({ input: 1, cacheRead: 272_000 })) ?? 0, 0.003, 1e-12)
  })

  it("what was thought costs what its own price says, else what output does; so does what is kept for an hour", () => {
    assert.closeTo(costOf(simple, "plain", tokens({ output: 10, reasoning: 4 })) ?? 0, 6 * 0.01 + 4 * 0.02, 1e-12)
    assert.closeTo(costOf(simple, "tiered", tokens({ output: 10, reasoning: 4 })) ?? 0, 0.1, 1e-12)
    assert.closeTo(
      costOf(simple, "plain", tokens({ cacheWrite: 10, cacheWriteLong: 4 })) ?? 0,
      6 * 0.002 + 4 * 0.004,
      1e-12
    )
    const short = readPrices({ m: { cache_creation_input_token_cost: 0.002 } }, "leap")
    assert.closeTo(costOf(short, "m", tokens({ cacheWrite: 10, cacheWriteLong: 4 })) ?? 0, 0.02, 1e-12)
  })

  it("an unknown model, and one of which only the window is known, cost nothing that is known", () => {
    const windows = readPrices({ open: { max_input_tokens: 32_000 } }, "file")
    assert.strictEqual(findPrice(windows, "open")?.window, 32_000)
    assert.deepStrictEqual(
      [
        costOf(windows, "open", tokens({ input: 1 })),
        costOf(simple, "other", tokens({ input: 1 })),
        costOf(simple, null, tokens({ input: 1 }))
      ],
      [null, null, null]
    )
  })
})

describe("a price file", () => {
  it("what LiteLLM's file says besides is left out", () => {
    const table = readPrices(
      {
        _about: { input_cost_per_token: 1 },
        sample_spec: { mode: "chat", max_input_tokens: "set to max input tokens, if the provider specifies it" },
        image: { output_cost_per_image: 0.04, mode: "image_generation" },
        good: {
          input_cost_per_token: 1e-6,
          output_cost_per_token: -1,
          input_cost_per_token_priority: 9,
          supports_vision: true,
          litellm_provider: "x",
          max_input_tokens: 8000
        },
        odd: {
          input_cost_per_token: "3",
          output_cost_per_token: Number.NaN,
          input_cost_per_token_above_200k_tokens: 2,
          toString: 4,
          constructor_above_5k_tokens: 1
        },
        list: [1],
        text: "t",
        nothing: null
      },
      "file"
    )
    assert.deepStrictEqual(
      [...table],
      [
        ["good", { rates: { input: 1e-6 }, tiers: [], window: 8000, source: "file" }],
        ["odd", { rates: {}, tiers: [{ above: 200_000, rates: { input: 2 } }], window: null, source: "file" }]
      ]
    )
  })

  it("the user's entry is the whole word on its model, and the others stay", () => {
    const both = withUsersPrices(
      simple,
      readPrices({ plain: { input_cost_per_token: 5 }, own: { input_cost_per_token: 7 } }, "file")
    )
    assert.deepStrictEqual(
      ["plain", "own", "tiered"].map((name) => costOf(both, name, tokens({ input: 1, output: 1 }))),
      [5, 7, 0.011]
    )
    assert.deepStrictEqual(findPrice(both, "plain")?.source, "file")
    assert.strictEqual(withUsersPrices(simple, new Map()), simple)
  })
})
