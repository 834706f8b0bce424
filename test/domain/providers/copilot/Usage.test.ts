import { assert, describe, it } from "@effect/vitest"
import { copilotUsage } from "../../../../src/domain/providers/copilot/Usage.ts"
import { jsonOf } from "../../../../src/domain/words/formats/Json.ts"
import { percentOf } from "../../../../src/domain/cli/usage/Usage.ts"
import { account } from "../../../support/data/account.ts"
import { fixture, simple } from "../../../support/data/usage.ts"

const line = (payload: unknown) => account(copilotUsage, { hooks: [["StatusLine", payload]], prices: simple })
const request = (usage: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: "session.usage_record",
  timestamp: "2026-11-21T10:00:00.000Z",
  data: { usage: { model: "plain", ...usage } },
  ...more
})
const of = (records: ReadonlyArray<unknown>) => account(copilotUsage, { records, prices: simple })

describe("Copilot's log of the session", () => {
  it("a subagent's requests are paid for and fill no context; so are titles and summaries", () => {
    const own = request({ inputTokens: 100, outputTokens: 1, interactionType: "conversation-agent", apiCallId: "a" })
    const others = [
      request({ inputTokens: 900, outputTokens: 1, apiCallId: "b", model: "small" }, { agentId: "x" }),
      request({ inputTokens: 900, outputTokens: 1, interactionType: "title", apiCallId: "c", model: "small" })
    ]
    const used = of([own, own, ...others])
    assert.deepStrictEqual([used.model, used.contextTokens, used.session?.input], ["plain", 100, 1900])
  })

  const compacted = (data: Record<string, unknown>) => ({
    type: "session.compaction_complete",
    timestamp: "2026-11-21T10:01:00.000Z",
    data: { success: true, compactionAttemptId: "c1", ...data }
  })
  const compactionTokensUsed = { model: "plain", inputTokens: 1200, outputTokens: 20, cacheReadTokens: 700 }

  it("what a compaction used is paid for, once, and is neither the context nor the last turn", () => {
    const own = request({ inputTokens: 100, outputTokens: 1, interactionType: "conversation-agent", apiCallId: "a" })
    const twice = request({ ...compactionTokensUsed, interactionType: "conversation-compaction", apiCallId: "b" })
    const used = of([own, twice, compacted({ compactionTokensUsed })])
    assert.deepStrictEqual(used.session, { input: 600, cacheRead: 700, cacheWrite: 0, output: 21 })
    assert.deepStrictEqual([used.contextTokens, used.lastTurn?.input], [100, 100])
    assert.isUndefined(used.cost?.floor)
  })

  it("what a compaction used that does not say so is missing, and that is said", () => {
    const own = request({ inputTokens: 100, outputTokens: 1, interactionType: "conversation-agent", apiCallId: "a" })
    assert.match(of([own, compacted({})]).cost?.floor ?? "", /compaction/)
  })

  it("words of subagents, and what the CLI says in the user's place, are not the conversation's", () => {
    const said = (type: string, data: unknown, more: Record<string, unknown> = {}) => ({ type, data, ...more })
    const used = of([
      said("user.message", { content: "mine" }),
      said("user.message", { content: "the skill", source: "skill-pdf" }),
      said("user.message", { content: "task" }, { agentId: "x" }),
      said("assistant.message", { content: "yes" }),
      said("assistant.message", { content: "of the agent", parentToolCallId: "c" }),
      said("assistant.message", { content: "" })
    ])
    assert.deepStrictEqual([used.lastPrompt, used.lastResponse], ["mine", "yes"])
  })
})

describe("K: Copilot's status line", () => {
  it("real ones: the context as the CLI shows it, and the window it shows it of", () => {
    const lines = fixture("copilot/status-lines.jsonl")
      .trimEnd()
      .split("\n")
      .map((text) => line(jsonOf(text)))
    assert.isAtLeast(lines.length, 4)
    for (const used of lines) assert.deepStrictEqual([used.model, used.window, used.cost], ["gpt-5.4", 128_000, null])
    const shown = lines.map((used) => used.contextTokens)
    assert.isTrue(shown.includes(0) && shown.some((used) => used !== null && used > 10_000), shown.join())
  })

  it.each([
    ["the flat form", { current_context_tokens: 5, context_window_size: 1000 }, [5, 1000]],
    ["no window", { context_window: { current_context_tokens: 5 } }, [null, null]],
    [
      "a window of nothing",
      { context_window: { current_context_tokens: 5, displayed_context_limit: 0, context_window_size: -1 } },
      [null, null]
    ],
    ["odd numbers", { context_window: { current_context_tokens: true, displayed_context_limit: 1000.9 } }, [0, 1000]]
  ])("%s", (_, payload, expected) => {
    const used = line(payload)
    assert.deepStrictEqual([used.contextTokens, used.window], expected)
  })

  it("27 395 of 192 000 are 14 %", () => assert.strictEqual(percentOf(27_395, 192_000), 14))

  it("goes before the log, which counts without it", () => {
    const status = { context_window: { current_context_tokens: 13_000, displayed_context_limit: 64_000 } }
    const records = [request({ inputTokens: 100, maxPromptTokens: 128_000 })]
    const both = account(copilotUsage, { hooks: [["StatusLine", status]], records })
    assert.deepStrictEqual([both.contextTokens, both.window], [13_000, 64_000])
    assert.deepStrictEqual([of(records).contextTokens, of(records).window], [100, 128_000])
  })
})
