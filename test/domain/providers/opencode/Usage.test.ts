import { assert, describe, it } from "@effect/vitest"
import { opencodeUsage } from "../../../../src/domain/providers/opencode/Usage.ts"
import { unknownUsage } from "../../../../src/domain/cli/usage/Usage.ts"
import { account } from "../../../support/data/account.ts"
import { records, simple } from "../../../support/data/usage.ts"

type Hook = readonly [string, unknown]
const tokens = (input: number, read: number, output: number, reasoning = 0) => ({
  input,
  output,
  reasoning,
  cache: { read, write: 0 }
})
const message = (session: string, used: unknown, window: unknown = 200_000): Hook => [
  "message.updated",
  {
    sessionID: session,
    window,
    info: { id: "m", sessionID: session, role: "assistant", providerID: "lab", modelID: "plain", tokens: used }
  }
]
const sums = (session: string, used: unknown, cost: unknown = 0, more: Record<string, unknown> = {}): Hook => [
  "session.updated",
  { sessionID: session, info: { id: session, model: { id: "plain", providerID: "lab" }, cost, tokens: used, ...more } }
]
const of = (hooks: ReadonlyArray<Hook>) => account(opencodeUsage, { hooks, prices: simple })

describe("what OpenCode tells its plugin", () => {
  it("a real session", () => {
    assert.deepStrictEqual(account(opencodeUsage, { hooks: records("opencode/events.jsonl") as ReadonlyArray<Hook> }), {
      ...unknownUsage,
      model: "lab/lab-large",
      contextTokens: 1220,
      window: 200_000,
      lastTurn: { input: 500, cacheRead: 700, cacheWrite: 0, output: 20 },
      session: { input: 2000, cacheRead: 2800, cacheWrite: 0, output: 80 }
    })
  })

  it("the context is the whole of the last message, as its own footer shows it; thoughts are in it", () => {
    assert.isNull(of([message("a", tokens(0, 0, 0))]).contextTokens)
    // the window that the plugin was not told of is the price table's
    assert.strictEqual(of([message("a", tokens(1, 0, 1), null)]).window, 100_000)
  })

  it("its own cost counts; where it has none leap's prices do; the sums are those of the whole session", () => {
    assert.deepStrictEqual(of([sums("a", tokens(1000, 0, 0), 0.25)]).cost, { usd: 0.25, estimated: false })
    assert.deepStrictEqual(of([sums("a", tokens(1000, 0, 0)), sums("a", tokens(3000, 0, 100))]).cost, {
      usd: 4,
      estimated: true
    })
    assert.strictEqual(of([sums("a", tokens(1000, 0, 0), 0.25), sums("a", tokens(3000, 0, 0), 0.75)]).cost?.usd, 0.75)
    assert.strictEqual(of([sums("a", tokens(1000, 0, 0)), sums("a", tokens(3000, 0, 100))]).session?.input, 3000)
  })

  it("a subagent's session is not the session", () => {
    const child: Hook = ["session.created", { sessionID: "b", info: { id: "b", parentID: "a" } }]
    const used = of([
      message("a", tokens(10, 0, 1)),
      child,
      message("b", tokens(999, 0, 1)),
      sums("b", tokens(999, 0, 1))
    ])
    assert.deepStrictEqual([used.contextTokens, used.session], [11, null])
    // one that leap first hears of by its sums
    assert.isNull(of([sums("b", tokens(999, 0, 1), 1, { parentID: "a" })]).session)
  })

  it("another session of the user's begins anew", () => {
    const used = of([message("a", tokens(10, 0, 1)), sums("a", tokens(10, 0, 1), 0.5), message("c", tokens(20, 0, 1))])
    assert.deepStrictEqual([used.contextTokens, used.cost, used.session], [21, null, null])
  })

  it.each([
    ["message.updated", null],
    ["message.updated", { info: { role: "assistant", tokens: tokens(5, 0, 5) } }],
    ["message.updated", { info: { role: "user", sessionID: "a", tokens: tokens(5, 0, 5) } }],
    ["session.updated", { info: {} }],
    ["session.created", []]
  ])("%s with %j says nothing", (event, payload) => assert.deepStrictEqual(of([[event, payload]]), unknownUsage))
})
