import { assert, describe, it } from "@effect/vitest"
import { stopReasonOf } from "../../../../src/domain/cli/headless/StopReason.ts"

describe("why a turn ended", () => {
  it.each([
    ["end_turn", "end_turn"], // Anthropic, and what leap says of Codex, Copilot and Gemini
    ["stop", "end_turn"], // OpenAI's API, OpenCode
    ["STOP", "end_turn"], // Google's API
    ["length", "max_tokens"],
    ["MAX_TOKENS", "max_tokens"],
    ["model_length", "max_tokens"], // Mistral
    ["max_turns", "max_turns"],
    ["tool-calls", "tool_use"], // OpenCode
    ["tool_calls", "tool_use"],
    ["tool_use", "tool_use"],
    ["function_call", "tool_use"],
    ["content_filter", "refusal"],
    ["content-filter", "refusal"],
    ["refusal", "refusal"],
    ["SAFETY", "refusal"],
    ["user_abort", "interrupted"], // Copilot
    ["stop_sequence", "stop_sequence"]
  ] as const)("%s is %s", (own, said) => assert.strictEqual(stopReasonOf(own), said))
})
