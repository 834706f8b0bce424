import { assert, describe, it } from "@effect/vitest"
import { incompleteness } from "../../../../src/domain/cli/headless/incomplete.ts"
import { stopReasonOf } from "../../../../src/domain/cli/headless/StopReason.ts"

const refused = [
  { tool: "Bash", why: "asks" },
  { tool: "Bash", why: "asks" }
]

describe("an answer that is not whole", () => {
  it.each<readonly [string, string, string | null, typeof refused, RegExp | null]>([
    ["whole", "a", "stop", [], null],
    ["whole, though a tool was refused", "a", "end_turn", refused, null],
    ["whole, for all that is known", "a", null, [], null],
    ["cut off by OpenAI", "a", "length", [], /cut off/],
    ["cut off by Anthropic", "a", "max_tokens", [], /cut off/],
    ["cut off by Gemini", "a", "MAX_TOKENS", [], /cut off/],
    ["cut off before its first word", "", "length", [], /cut off/],
    ["withheld", "", "content_filter", [], /withheld/],
    ["ended by the CLI as the model repeated itself", "a a a", "loop", [], /cut off by the CLI/],
    ["withheld in the middle", "a", "refusal", [], /refused, or cut off by the provider/],
    ["a call alone", "", "tool_calls", [], /nobody runs, and gave no answer/],
    ["a call, announced", "I look.", "tool-calls", [], /nobody runs$/],
    ["a refusal alone", " ", "end_turn", refused, /no answer: Bash was refused/],
    ["longer than what is kept", "a".repeat(64 << 20), "end_turn", [], /longer than 64 Mi characters/],
    ["empty", "\n", "end_turn", [], /is empty/]
  ])("%s", (_, text, stopReason, refused, says) => {
    const why = incompleteness({ text, stopReason: stopReasonOf(stopReason), refused })
    if (says === null) assert.isNull(why)
    else assert.match(why ?? "", says)
  })
})
