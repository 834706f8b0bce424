import { assert, describe, it } from "@effect/vitest"
import {
  contextLong,
  contextShort,
  costText,
  formatTokens,
  formatUsd
} from "../../../../src/domain/words/wording/Format.ts"

describe("figures for people", () => {
  it.each([
    [4.21, "$4.21"],
    [1234.5, "$1,234.50"],
    [0.26, "$0.26"],
    [0.009, "<$0.01"],
    [0.000_001, "<$0.01"],
    [0, "$0.00"],
    [0.01, "$0.01"],
    [1_234_567.891, "$1,234,567.89"],
    [999.999, "$1,000.00"],
    [-1, "$0.00"]
  ])("%d is %s", (usd, text) => assert.strictEqual(formatUsd(usd), text))

  it.each([
    [0, "0"],
    [950, "950"],
    [1000, "1k"],
    [15_900, "15.9k"],
    [15_960, "16k"],
    [99_960, "100k"],
    [200_000, "200k"],
    [258_400, "258k"],
    [999_499, "999k"],
    [999_500, "1M"],
    [1_048_576, "1M"],
    [1_250_000, "1.3M"]
  ])("%d tokens are %s", (tokens, text) => assert.strictEqual(formatTokens(tokens), text))

  it("a context is its share, or its tokens where the window is not known", () => {
    const known = { usedTokens: 86_000, window: 200_000, percent: 43 }
    const open = { usedTokens: 86_000, window: null, percent: null }
    const short = [
      { context: known },
      { context: open },
      { context: null },
      { context: null, noContext: true as const }
    ]
    assert.deepStrictEqual(short.map(contextShort), ["43%", "86k", "–", "n/a"])
    assert.deepStrictEqual([contextLong(known), contextLong(open)], ["43% (86k of 200k tokens)", "86k tokens"])
  })

  it("a cost says whether leap has reckoned it", () => {
    assert.deepStrictEqual(
      [
        costText({ usd: 1.234, estimated: true }),
        costText({ usd: 1.234, estimated: false }),
        costText({ usd: 0.001, estimated: true }),
        costText(null)
      ],
      ["~$1.23", "$1.23", "<$0.01", ""]
    )
  })
})
