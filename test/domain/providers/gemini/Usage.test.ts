import { assert, describe, it } from "@effect/vitest"
import { geminiUsage } from "../../../../src/domain/providers/gemini/Usage.ts"
import { unknownUsage } from "../../../../src/domain/cli/usage/Usage.ts"
import { account } from "../../../support/data/account.ts"
import { records, simple } from "../../../support/data/usage.ts"

let serial = 0
const answer = (tokens: unknown, more: Record<string, unknown> = {}) => ({
  id: `g${serial++}`,
  type: "gemini",
  content: "",
  model: "plain",
  timestamp: new Date(Date.UTC(2026, 10, 21, 10, 0, serial)).toISOString(),
  tokens,
  ...more
})
const tokens = (input: number, cached: number, output: number, thoughts = 0, tool = 0) => ({
  input,
  cached,
  output,
  thoughts,
  tool,
  total: input + output + thoughts + tool
})
const user = (content: unknown) => ({
  id: `u${serial++}`,
  type: "user",
  content,
  timestamp: "2026-11-21T11:00:00.000Z"
})
const of = (records: ReadonlyArray<unknown>) => account(geminiUsage, { records, prices: simple })

describe("Gemini CLI's chat file", () => {
  it("a real one, in which a tool's record comes twice", () => {
    assert.deepStrictEqual(account(geminiUsage, { records: records("gemini/chat.jsonl") }), {
      model: "gemini-2.5-pro",
      contextTokens: 1200,
      window: 1_048_576,
      lastTurn: { input: 500, cacheRead: 700, cacheWrite: 0, output: 20 },
      session: { input: 2000, cacheRead: 2800, cacheWrite: 0, output: 80 },
      cost: { usd: 0.00365, estimated: true },
      lastPrompt: "Last one.",
      lastResponse: "Third reply."
    })
  })

  it("the latest prompt's size is the context; a later user entry changes nothing; without tokens none", () => {
    const used = of([answer(tokens(10, 0, 1)), answer(tokens(30, 20, 1)), user([{ text: "more" }])])
    assert.deepStrictEqual([used.contextTokens, used.window], [30, 100_000])
    assert.strictEqual(of([answer(tokens(10, 0, 1), { model: "unheard-of" })]).window, 1_048_576)
    assert.isNull(of([answer(null), answer({}), answer("tokens"), user([{ text: "x" }])]).contextTokens)
  })

  it("what a compression used is missing, and that is said; a conversation that was only cut back is whole", () => {
    const said = (text: string) => ({ id: "s", type: "gemini", content: [{ text }] })
    const compressed = (text: string) => ({ $set: { messages: [user([{ text: "A summary" }]), said(text)] } })
    const before = answer(tokens(1000, 0, 10))
    const used = of([before, compressed("Got it. Thanks for the additional context!"), answer(tokens(10, 0, 1))])
    assert.match(used.cost?.floor ?? "", /compression/)
    assert.strictEqual(used.session?.input, 1010)
    assert.isUndefined(of([before, compressed("Well.")]).cost?.floor)
  })

  it("cached parts cost less, thoughts what they cost, and the tool's tokens are in the input already", () => {
    const used = of([answer(tokens(1000, 400, 10, 5, 300)), answer(tokens(1000, 0, 0))])
    assert.deepStrictEqual(used.session, { input: 1600, cacheRead: 400, cacheWrite: 0, output: 15 })
    assert.deepStrictEqual(used.cost, { usd: 1.84, estimated: true })
    assert.isNull(of([answer(tokens(5, 0, 5), { model: "unheard-of" })]).cost)
  })

  it("other entries are skipped", () => {
    assert.deepStrictEqual(
      of([
        { type: "info", content: "x", tokens: tokens(5, 0, 5) },
        { sessionId: "s" },
        { $set: { lastUpdated: "x" } },
        { $set: 5 },
        7
      ]),
      unknownUsage
    )
    assert.deepStrictEqual(of([]), unknownUsage)
  })

  it("a list of all messages that is written anew counts nothing twice, and what is new in it", () => {
    const many = Array.from({ length: 90 }, () => answer(tokens(1, 0, 1)))
    const used = of([...many, { $set: { messages: many } }, { $set: { messages: [...many, answer(tokens(1, 0, 1))] } }])
    assert.strictEqual(used.session?.output, 91)
    assert.strictEqual(of([{ $set: { messages: many } }]).session?.output, 90)
  })

  it("the last prompt is the user's, its parts put together; what the CLI adds is none", () => {
    assert.strictEqual(of([user([{ text: "said" }]), user([{ functionResponse: { name: "x" } }])]).lastPrompt, "said")
    assert.isNull(of([user(5), user([5, {}]), user([{ text: 5 }])]).lastPrompt)
    assert.strictEqual(of([user("as a string")]).lastPrompt, "as a string")
  })
})
