import { assert, describe, it } from "@effect/vitest"
import type { Billed, UsageFact } from "../../../../src/domain/cli/usage/UsageReader.ts"
import { nothingBilled, noUsage } from "../../../../src/domain/cli/usage/UsageReader.ts"
import { unknownUsage } from "../../../../src/domain/cli/usage/Usage.ts"
import * as UsageState from "../../../../src/domain/cli/usage/UsageState.ts"
import { usageOf, type UsageSources } from "../../../../src/domain/cli/usage/usageOf.ts"
import { simple } from "../../../support/data/usage.ts"

const tokens = (part: Partial<Billed>): Billed => ({ ...nothingBilled, ...part })
const billed = (part: Partial<Billed>, more: Partial<Extract<UsageFact, { _tag: "Billed" }>> = {}): UsageFact => ({
  _tag: "Billed",
  id: null,
  model: "plain",
  tokens: tokens(part),
  at: null,
  ...more
})
const model = (model: string): UsageFact => ({ _tag: "Model", model })
const of = (facts: ReadonlyArray<UsageFact>, told: ReadonlyArray<UsageFact> = [], whole = true) =>
  usageOf(
    noUsage,
    {
      transcript: facts.reduce(UsageState.fold, UsageState.start),
      reported: told.reduce(UsageState.fold, UsageState.start),
      whole
    },
    simple
  )

describe("an account", () => {
  it("counts a request once, by the larger word on it; those without an id each", () => {
    const sum = (facts: ReadonlyArray<UsageFact>) => of(facts).session?.output
    assert.strictEqual(
      sum([billed({ output: 1 }, { id: "a" }), billed({ output: 7 }, { id: "a" }), billed({ output: 3 }, { id: "a" })]),
      7
    )
    assert.strictEqual(sum([billed({ output: 1 }), billed({ output: 1 })]), 2)
    // another model named later for the same request takes it from the first one's account
    assert.deepStrictEqual(
      of([billed({ input: 1 }, { id: "a" }), billed({ input: 2 }, { id: "a", model: "free" })]).cost,
      null
    )
  })

  it("requests of 0 tokens are neither counted nor remembered", () => {
    assert.deepStrictEqual(of([billed({}, { id: "a" })]), unknownUsage)
    assert.strictEqual(of([billed({}, { id: "a" }), billed({ output: 3 }, { id: "a" })]).session?.output, 3)
  })

  it("what the CLI says it cost counts; what was billed after it said so is added and marked", () => {
    const cost: UsageFact = { _tag: "Cost", usd: 0.5 }
    assert.deepStrictEqual(of([billed({ input: 1000 }), cost]).cost, { usd: 0.5, estimated: false })
    assert.deepStrictEqual(of([billed({ input: 1000 }), cost, billed({ input: 1000 })]).cost, {
      usd: 1.5,
      estimated: true
    })
    assert.deepStrictEqual(of([billed({ input: 1000 }), cost, billed({ input: 1000 }, { model: "free" })]).cost, {
      usd: 0.5,
      estimated: false,
      floor: "no price is known of free"
    })
    assert.deepStrictEqual(of([billed({ input: 1000 })], [cost]).cost, { usd: 0.5, estimated: false })
    assert.deepStrictEqual(of([], [{ _tag: "Cost", usd: 0 }]).cost, { usd: 0, estimated: false })
  })

  it("sums of a part of the transcript are none, its last words and its context are known", () => {
    const facts: ReadonlyArray<UsageFact> = [
      model("plain"),
      billed({ input: 5, output: 5 }),
      { _tag: "Context", tokens: 5, window: null },
      { _tag: "Prompt", text: "p", at: 1 }
    ]
    assert.deepStrictEqual(of(facts, [], false), {
      ...unknownUsage,
      model: "plain",
      contextTokens: 5,
      window: 100_000,
      lastTurn: { input: 5, cacheRead: 0, cacheWrite: 0, output: 5 },
      lastPrompt: "p"
    })
  })

  it("the CLI's own totals grow by what is new, and begin anew when they are smaller", () => {
    const totals = (input: number, last: number | null): UsageFact => ({
      _tag: "Totals",
      tokens: tokens({ input }),
      last: last === null ? null : tokens({ input: last })
    })
    assert.strictEqual(of([totals(100, 100), totals(250, 150), totals(40, 40)]).session?.input, 40)
    // a part of which only the sum is known is priced without tiers
    assert.deepStrictEqual(of([model("tiered"), totals(300_000, 100), totals(500_001, 200_001)]).cost, {
      usd: 700.002,
      estimated: true
    })
    assert.deepStrictEqual(of([totals(300, 100)]).lastTurn?.input, 100)
  })

  it("a list of the whole conversation tells again what was counted, and what was not", () => {
    const at = (time: number, id: string, again: boolean): UsageFact => billed({ input: 1 }, { at: time, id, again })
    const many = Array.from({ length: 100 }, (_, i) => at(i, `m${i}`, false))
    assert.strictEqual(of([...many, ...many.map((_, i) => at(i, `m${i}`, true))]).session?.input, 100)
    assert.strictEqual(of([...many, at(500, "new", true)]).session?.input, 101)
    assert.strictEqual(of([at(5, "first", true), at(6, "second", true)]).session?.input, 2)
  })

  it("what is told of a session's parts, or of another session, is not its own", () => {
    const context = (session: string, tokens: number): UsageFact => ({ _tag: "Context", tokens, window: null, session })
    assert.strictEqual(of([], [context("a", 5), { _tag: "Child", session: "b" }, context("b", 9)]).contextTokens, 5)
    const other = of([], [context("a", 5), { ...billed({ input: 3 }), session: "a" }, context("c", 7)])
    assert.deepStrictEqual([other.contextTokens, other.session], [7, null])
  })

  it("what hooks told goes before what the transcript says of the same", () => {
    const usage = of(
      [model("plain"), { _tag: "Context", tokens: 5, window: 7 }],
      [model("tiered"), { _tag: "Context", tokens: 6, window: null }]
    )
    assert.deepStrictEqual([usage.model, usage.contextTokens, usage.window], ["tiered", 6, 7])
  })

  it("stays small, however much is told", () => {
    let state = UsageState.start
    for (let i = 0; i < 5000; i++) {
      state = UsageState.fold(state, billed({ input: i * 3, output: 1 }, { id: `r${i}`, at: i }))
      state = UsageState.fold(state, { _tag: "Child", session: `s${i}` })
    }
    assert.isAtMost(state.recent.length, 64)
    assert.isAtMost(state.children.length, 256)
    assert.strictEqual(state.total?.output, 5000)
  })
})

describe("what is a part of the whole", () => {
  const usage = (sources: Partial<UsageSources>) =>
    usageOf(noUsage, { transcript: UsageState.start, reported: UsageState.start, whole: true, ...sources }, simple)
  const state = (facts: ReadonlyArray<UsageFact>, from = UsageState.start) => facts.reduce(UsageState.fold, from)
  const request = (input: number, at: number, more: Parameters<typeof billed>[1] = {}) =>
    billed({ input }, { at, ...more })

  it("is counted with it where it has a transcript of its own, also of another model", () => {
    const transcript = state([request(1000, 10), request(1000, 20)])
    const parts = [state([request(2000, 15)]), state([request(200_000, 16, { model: "tiered", aside: true })])]
    const { cost, lastTurn, session } = usage({ transcript, parts })
    assert.deepStrictEqual(cost, { usd: 204, estimated: true })
    assert.strictEqual(session?.input, 204_000)
    assert.strictEqual(lastTurn?.input, 1000)
    assert.deepStrictEqual(usage({ transcript, parts: [state([request(5, 15, { model: "free" })])] }).cost, {
      usd: 2,
      estimated: true,
      floor: "a subagent's model has no price"
    })
  })

  it("is in what the CLI has reported of all, but for what came later; a report of its own leaves it out", () => {
    const cost = (own: boolean): UsageFact => ({ _tag: "Cost", usd: 10, at: 30, ...(own ? { own } : {}) })
    const parts = [state([request(2000, 15)])]
    const of = (facts: ReadonlyArray<UsageFact>, more = parts) => usage({ transcript: state(facts), parts: more }).cost
    assert.deepStrictEqual(of([request(1000, 10), cost(false)]), { usd: 10, estimated: false })
    assert.deepStrictEqual(of([request(1000, 10), cost(true)]), { usd: 12, estimated: true })
    assert.deepStrictEqual(of([request(1000, 10), cost(false)], [...parts, state([request(3000, 40)])]), {
      usd: 13,
      estimated: true
    })
  })

  it("makes the figure a floor where it is told nowhere, until the CLI reports its own", () => {
    const why = "what a compaction used is not written down"
    const facts: ReadonlyArray<UsageFact> = [request(1000, 10), { _tag: "Uncounted", why }]
    assert.deepStrictEqual(of(facts).cost, { usd: 1, estimated: true, floor: why })
    assert.deepStrictEqual(of([...facts, { _tag: "Cost", usd: 3 }]).cost, { usd: 3, estimated: false })
    assert.deepStrictEqual(of(facts, [{ _tag: "Cost", usd: 3 }]).cost, { usd: 3, estimated: false })
  })

  it("was there before, where the first totals are more than their last request: a fork's count goes on", () => {
    const at = (used: number, last: number, when: number): UsageFact => ({
      _tag: "Totals",
      tokens: tokens({ input: used }),
      last: tokens({ input: last }),
      at: when
    })
    const facts = [model("plain"), at(3_600, 1_200, 50), at(5_000, 1_400, 60)]
    const { before, cost, lastTurn, session } = usage({ transcript: state(facts, UsageState.startAt(30)) })
    assert.strictEqual(session?.input, 5_000)
    assert.strictEqual(lastTurn?.input, 1_400)
    assert.deepStrictEqual(cost, { usd: 5, estimated: true })
    assert.deepInclude(before, { usd: 2.4 })
    assert.strictEqual(before?.session?.input, 2_400)
    // one that begins here has nothing before it
    const fresh = usage({ transcript: state([model("plain"), at(1_200, 1_200, 50)], UsageState.startAt(30)) })
    assert.deepStrictEqual(fresh.before, { session: null, usd: null })
  })

  it("makes it a floor where it is named and has no transcript here, as in a fork", () => {
    const transcript = state([request(1000, 10), { _tag: "Part", id: "a13f" }])
    const parts = [state([request(2000, 15)])]
    assert.deepStrictEqual(usage({ transcript }).cost, {
      usd: 1,
      estimated: true,
      floor: "the transcripts of some of its subagents are not there"
    })
    assert.deepStrictEqual(usage({ transcript, parts, partNames: ["agent-a13f.jsonl"] }).cost, {
      usd: 3,
      estimated: true
    })
    const reported = state([{ _tag: "Cost", usd: 5 }], transcript)
    assert.deepStrictEqual(usage({ transcript: reported }).cost, { usd: 5, estimated: false })
    // what a fork's origin spent on it is known when the CLI has told the sum: it is nothing of the fork's
    const origin: ReadonlyArray<UsageFact> = [request(1000, 10), { _tag: "Part", id: "a13f" }]
    const fork = state([...origin, request(1000, 40)], UsageState.startAt(30))
    assert.deepInclude(usage({ transcript: fork }).before, { usd: 1 })
    const ended = usage({ transcript: state([{ _tag: "Cost", usd: 8, at: 50 }], fork) })
    assert.deepStrictEqual(ended.cost, { usd: 8, estimated: false })
    assert.deepInclude(ended.before, { usd: 7 })
  })

  it("is a session of its own, for a CLI whose subagents are sessions", () => {
    const own = (session: string, usd: number): UsageFact => ({ _tag: "Cost", usd, own: true, session })
    const total = (session: string, input: number): UsageFact => ({
      _tag: "Totals",
      tokens: tokens({ input }),
      last: null,
      session
    })
    const reported = state([
      { _tag: "Model", model: "plain", session: "root" },
      total("root", 100),
      own("root", 1),
      { _tag: "Child", session: "sub" },
      { _tag: "Model", model: "other", session: "sub" },
      total("sub", 50),
      own("sub", 0.5),
      total("sub", 70),
      own("sub", 0.75)
    ])
    const { cost, model, session } = usage({ reported })
    assert.deepStrictEqual(cost, { usd: 1.75, estimated: false })
    assert.strictEqual(session?.input, 170)
    assert.strictEqual(model, "plain")
  })

  it("was there before, where a conversation is gone on with: a fork's, a resumed one's, with the parts of then", () => {
    const facts = [request(1000, 10), request(1000, 20), request(1000, 40)]
    const parts = [state([request(2000, 15)]), state([request(2000, 45)])]
    const now = usage({ transcript: state(facts, UsageState.startAt(30)), parts })
    assert.strictEqual(now.cost?.usd, 7)
    assert.deepInclude(now.before, { usd: 4 })
    assert.strictEqual(now.before?.session?.input, 4000)
    // nothing of it here yet; all of it here
    const brought = usage({ transcript: state(facts.slice(0, 2), UsageState.startAt(30)) })
    assert.strictEqual(brought.before?.usd, brought.cost?.usd)
    // by what the CLI reports: what it said first
    const reported = state([
      { _tag: "Cost", usd: 4 },
      { _tag: "Cost", usd: 9 }
    ])
    assert.deepInclude(usage({ reported, transcript: state(facts, UsageState.startAt(30)) }).before, { usd: 4 })
    assert.isUndefined(usage({ transcript: state(facts) }).before)
    assert.isUndefined(usage({ transcript: state(facts, UsageState.startAt(30)), whole: false }).before)
  })
})
