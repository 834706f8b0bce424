import { assert, describe, it } from "@effect/vitest"
import { codexUsage } from "../../../../src/domain/providers/codex/Usage.ts"
import { unknownUsage } from "../../../../src/domain/cli/usage/Usage.ts"
import { account } from "../../../support/data/account.ts"
import { records, simple } from "../../../support/data/usage.ts"

const event = (payload: unknown) => ({ type: "event_msg", timestamp: "2026-11-21T10:00:00.000Z", payload })
const usage = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  total_tokens: input + output
})
const count = (last: unknown, total: unknown, window: unknown = 258_400) =>
  event({
    type: "token_count",
    info: { last_token_usage: last, total_token_usage: total, model_context_window: window }
  })
const model = (name: string) => ({ type: "turn_context", payload: { model: name } })
const of = (records: ReadonlyArray<unknown>) => account(codexUsage, { records, prices: simple })

describe("Codex's rollout", () => {
  it("a real one", () => {
    const used = account(codexUsage, { records: records("codex/rollout.jsonl") })
    assert.deepStrictEqual(used, {
      model: "gpt-6.1-sol",
      contextTokens: 1200,
      window: 258_400,
      lastTurn: { input: 500, cacheRead: 700, cacheWrite: 0, output: 20 },
      session: { input: 2000, cacheRead: 2800, cacheWrite: 0, output: 80 },
      // this model's price is not known
      cost: null,
      lastPrompt: "Last one.",
      lastResponse: "Third reply."
    })
  })

  it("the latest count with something in it is the context, with the window it names", () => {
    const used = of([
      count(usage(10, 0, 1), usage(10, 0, 1)),
      count(usage(20, 0, 1), usage(30, 0, 2), 100_000),
      count({}, {}),
      count(usage(0, 0, 0), usage(30, 0, 2))
    ])
    assert.deepStrictEqual([used.contextTokens, used.window], [20, 258_400])
    assert.strictEqual(of([count(usage(10, 0, 1), usage(10, 0, 1), null)]).window, 256_000)
    assert.deepStrictEqual(
      of([count({}, {}), count(null, null), event({ type: "token_count", info: null })]),
      unknownUsage
    )
    assert.isNull(of([count(usage(10, 0, 1), usage(10, 0, 1))]).model)
  })

  it("the session is the cumulative count, the last request stands for itself", () => {
    const used = of([
      model("plain"),
      count(usage(1000, 400, 100), usage(1000, 400, 100)),
      count(usage(2000, 1000, 50), usage(3000, 1400, 150))
    ])
    assert.deepStrictEqual(used.session, { input: 1600, cacheRead: 1400, cacheWrite: 0, output: 150 })
    assert.deepStrictEqual(used.lastTurn, { input: 1000, cacheRead: 1000, cacheWrite: 0, output: 50 })
    assert.deepStrictEqual(used.cost, { usd: 3.24, estimated: true })
  })

  it("without a total the last counts add up", () => {
    assert.strictEqual(of([count(usage(5, 0, 1), {}), count(usage(7, 0, 1), null)]).session?.input, 12)
  })

  it("a rollout that goes on in another one's count, and a count that begins anew", () => {
    assert.strictEqual(of([count(usage(10, 0, 1), usage(5000, 0, 300))]).session?.output, 300)
    assert.strictEqual(
      of([count(usage(10, 0, 1), usage(5000, 0, 300)), count(usage(10, 0, 1), usage(10, 0, 1))]).session?.input,
      10
    )
  })

  it("the last prompt is the user's own, in today's form and the older one", () => {
    const item = (type: string, content: unknown) => event({ type: "item_completed", item: { type, content } })
    assert.strictEqual(
      of([
        event({ type: "user_message", message: "two" }),
        event({ type: "user_message", message: "<environment_context>\n<cwd>/" })
      ]).lastPrompt,
      "two"
    )
    assert.strictEqual(
      of([item("UserMessage", [{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "two" }])])
        .lastPrompt,
      "one\ntwo"
    )
    for (const odd of [
      item("UserMessage", null),
      item("UserMessage", [5, { type: "text" }]),
      event({ type: "user_message", message: " " }),
      event({ type: "user_message", message: 5 })
    ]) {
      assert.isNull(of([odd]).lastPrompt)
    }
  })

  it("the last answer is what the agent said last; a failed turn says nothing", () => {
    const say = event({
      type: "item_completed",
      item: { type: "AgentMessage", content: [{ type: "Text", text: "yes" }] }
    })
    assert.strictEqual(of([say, event({ type: "task_complete", last_agent_message: null })]).lastResponse, "yes")
    assert.strictEqual(of([say, event({ type: "task_complete", last_agent_message: "done" })]).lastResponse, "done")
    assert.strictEqual(of([event({ type: "agent_message", message: "older" })]).lastResponse, "older")
  })
})
