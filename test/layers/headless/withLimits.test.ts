import { assert, describe } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { AgentEvent } from "../../../src/domain/cli/headless/AgentEvent.ts"
import { readPrices } from "../../../src/domain/cli/usage/Prices.ts"
import { countByBytes } from "../../../src/domain/cli/headless/tokens.ts"
import { withLimits } from "../../../src/layers/headless/withLimits.ts"
import type { AgentProviderShape, OpenAccount, RunSpending } from "../../../src/services/AgentProvider.ts"
import { collect } from "../../support/headless/chatClient.ts"
import { aResult, scripted } from "../../support/headless/scripted.ts"
import { effect } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const table = readPrices({ m: { input_cost_per_token: 0.01, output_cost_per_token: 0.01 } }, "leap")
const prices = { read: Effect.succeed({ table, shipped: null, file: null, warning: null }) }

const text = (text: string): AgentEvent => ({ _tag: "Text", text, delta: true, message: "1", agent: null })
const started = (model: string | null): AgentEvent => ({ _tag: "Started", sessionId: "S", model })
const used: AgentEvent = { _tag: "Used", tokens: { input: 80, output: 40, cacheRead: 0, cacheWrite: 0 } }

const ask = (events: ReadonlyArray<AgentEvent>, options: object, more: Partial<AgentProviderShape> = {}) => {
  const { agent, asked } = scripted("a", [{ events, answer: "whole", cost: 1 }], more)
  return Effect.map(collect(withLimits(agent, prices, countByBytes).execute("P", options)), (ran) => ({
    ...ran,
    asked
  }))
}

describe("a run with limits", () => {
  effect("is ended where it goes on beyond them, and what it had said is kept", function* () {
    const { error, events, result } = yield* ask(
      [started("m"), text("so "), text("far"), used, text("."), text("more")],
      {
        maxTokensTotal: 100
      }
    )
    assert.isNull(result)
    assert.deepInclude(error, { _tag: "AgentReportedError", exitCode: 12, text: "so far.", sessionId: "S" })
    assert.match(error?.message ?? "", /exceeded the limit of tokens \(100\) with about 12\d, and leap ended it/)
    assert.deepStrictEqual(each(events, "_tag"), ["Started", "Text", "Text", "Used", "Text", "Failed"])
  })
  effect("asks nothing where the prompt alone would exceed them", function* () {
    const long = "some words ".repeat(100)
    for (const options of [{ maxTokensTotal: 50 }, { maxCost: 0.4, model: "m" }]) {
      const { agent, asked } = scripted("a", [{ answer: "short" }])
      const limited = withLimits(agent, prices, countByBytes)
      const { error } = yield* collect(limited.execute(long, options))
      assert.deepInclude(error, { _tag: "AgentReportedError", exitCode: 12 })
      assert.match(
        error?.message ?? "",
        /next request would exceed the limit of .*: \$?0.* used, about .* more; nothing was/
      )
      assert.lengthOf(asked, 0)
      assert.strictEqual((yield* collect(limited.execute("P", options))).result?.text, "short")
    }
  })
  effect("that was at its end gives its answer, and is told of", function* () {
    const { events, result } = yield* ask([started("m"), text("x"), used], { maxCost: 1 })
    assert.strictEqual(result?.text, "whole")
    const last = events.at(-1)
    assert.match(last?._tag === "Notice" ? last.text : "", /exceeded the limit of cost \(\$1\) with \$1\.2000/)
  })
  effect("of cost does not run where nobody knows the price", function* () {
    const named = yield* ask([], { maxCost: 1, model: "nobodys" })
    assert.deepStrictEqual([named.error?.exitCode, named.asked.length], [2, 0])
    assert.match(named.error?.message ?? "", /no price for the model 'nobodys'/)
    const unnamed = yield* ask([started(null), text("x")], { maxCost: 1 })
    assert.match(unnamed.error?.message ?? "", /maxCost: .*name the model/)
    const own = yield* ask([started(null), text("x")], { maxCost: 1 }, { keepsCost: true })
    assert.strictEqual(own.result?.text, "whole")
  })
  effect("that it shares ends where others have used the rest meanwhile, and what it used is put down", function* () {
    const others = [0, 0, 900, 900]
    const put: Array<RunSpending> = []
    const account: OpenAccount = () =>
      Effect.succeed({
        limits: Effect.sync(() => [
          { of: "day" as const, limit: "tokens" as const, most: 1_000, before: others[put.length] ?? 900, floor: false }
        ]),
        spent: (spending) => Effect.sync(() => void put.push(spending))
      })
    const tool: AgentEvent = { _tag: "ToolStarted", id: "1", tool: "t", preview: "", input: {}, agent: null }
    const execute = () => Stream.rechunk(Stream.make(started("m"), used, used, tool), 1)
    const agent = withLimits({ ...scripted("a", []).agent, execute }, prices, countByBytes)
    const { error, events } = yield* collect(agent.execute("P", { account }))
    assert.deepStrictEqual(each(events, "_tag"), ["Started", "Used", "Used", "ToolStarted", "Failed"])
    assert.match(error?.message ?? "", /the day's budget of tokens \(1000\) is used up: 10\d\d used, and leap ended it/)
    assert.deepInclude(put[0], { model: "m", tokens: used.tokens, isEstimated: false })
    assert.closeTo(put[0]?.usd ?? 0, 1.2, 1e-9)
    assert.strictEqual(put.at(-1)?.isEstimated, true, "what was said since is estimated")
  })
  for (const [own, model, usd] of [
    [0.1, "m", 1.2],
    [3, "m", 3],
    [null, "m", 1.2],
    [3, "nobodys", 3],
    [null, "nobodys", null]
  ] as const)
    effect(`puts down $${usd} where its CLI tells $${own} of ${model}`, function* () {
      const put: Array<RunSpending> = []
      const account: OpenAccount = () =>
        Effect.succeed({ limits: Effect.succeed([]), spent: (spending) => Effect.sync(() => void put.push(spending)) })
      const tokens = { input: 80, output: 40, cacheRead: 0, cacheWrite: 0, total: 120, estimated: false }
      const cost = own === null ? null : { usd: own, estimated: false }
      const execute = () =>
        Stream.make(started(model), { _tag: "Result" as const, result: aResult("a", "whole", { model, tokens, cost }) })
      const agent = withLimits({ ...scripted("a", []).agent, execute }, prices, countByBytes)
      yield* collect(agent.execute("P", { account }))
      const last = put.at(-1)?.usd ?? null
      assert.deepStrictEqual(last === null ? null : Math.round(last * 1e6) / 1e6, usd)
    })
})
