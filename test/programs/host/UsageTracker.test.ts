import { assert, describe, it } from "@effect/vitest"
import { type Cause, Context, Effect, Layer, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { readPrices } from "../../../src/domain/cli/usage/Prices.ts"
import { unknownUsage } from "../../../src/domain/cli/usage/Usage.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { provider as codex } from "../../../src/layers/providers/codex/Provider.ts"
import * as UsageTracker from "../../../src/programs/host/UsageTracker.ts"
import { transcriptPathOf } from "../../../src/programs/host/CliCommand.ts"
import { noUsageView, type UsageView, usageFields } from "../../../src/programs/host/sessionStatus.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { FileTail, type TailChunk } from "../../../src/services/FileTail.ts"
import { Prices } from "../../../src/services/Prices.ts"
import { commandOf, freshMemory, publisherOf } from "../../support/host/parts.ts"
import { simple } from "../../support/data/usage.ts"
import { effect } from "../../support/run/effects.ts"

let serial = 0
const answer = (input: number, text = "yes", at = "2026-11-21T10:00:00.000Z") =>
  JSON.stringify({
    type: "assistant",
    timestamp: at,
    requestId: "r",
    message: {
      id: `m${serial++}`,
      model: "plain",
      content: [{ type: "text", text }],
      usage: { input_tokens: input, output_tokens: 0 }
    }
  })
const asked = (text: string) =>
  JSON.stringify({ type: "user", timestamp: "2026-11-21T10:00:00.000Z", message: { content: text } })

/** Files whose pieces the test hands out, and a publisher that keeps what it is given. */
const stageOf = Effect.fnUntraced(function* (provider: CLIProvider["Service"]) {
  const pieces = new Map<string, Queue.Queue<TailChunk, Cause.Done>>()
  const ends = new Map<string, ReadonlyArray<string>>()
  const documents: Array<string> = []
  const listed: Array<string> = []
  let aside: string | null = null
  let priced = 0
  let table = simple
  const piecesOf = Effect.fnUntraced(function* (path: string) {
    const known = pieces.get(path)
    if (known !== undefined) return known
    const fresh = yield* Queue.unbounded<TailChunk, Cause.Done>()
    pieces.set(path, fresh)
    return fresh
  })
  const files = Layer.succeed(FileTail, {
    follow: () => Effect.succeed(Stream.never),
    read: (path) => Stream.unwrap(Effect.map(piecesOf(path), Stream.fromQueue)),
    last: (path) => Effect.sync(() => ends.get(path) ?? []),
    within: (directory) =>
      Effect.sync(() => {
        listed.push(directory)
        return [...pieces.keys()].filter((path) => path.startsWith(`${directory}/`))
      }),
    document: (path) => Effect.sync(() => (documents.push(path), aside))
  })
  const prices = Layer.succeed(Prices, {
    read: Effect.sync(() => (priced++, { table, shipped: null, file: null, warning: null }))
  })
  const memory = freshMemory()
  let turnStartedAt: number | null = null
  const publisher = yield* publisherOf({}, () => ({
    ...memory,
    tracker: { ...memory.tracker, facts: { ...memory.tracker.facts, turnStartedAt } }
  }))
  const layer = UsageTracker.layer.pipe(
    Layer.provide([
      commandOf({ HOME: "/home/dev" }),
      publisher.layer,
      files,
      prices,
      Layer.succeed(CLIProvider, provider)
    ])
  )
  const usage = Context.get(yield* Layer.build(layer), UsageTracker.UsageTracker)
  return {
    usage,
    published: publisher.usages,
    documents,
    listed,
    ends,
    priced: () => priced,
    setAside: (text: string) => void (aside = text),
    setTable: (content: unknown) => void (table = readPrices(content, "file")),
    turn: (at: number) => void (turnStartedAt = at),
    begin: usage.follow,
    transcript: (path: string) => publisher.set({ transcriptPath: path }),
    give: (path: string, piece: Partial<TailChunk>) =>
      Effect.flatMap(piecesOf(path), (queue) =>
        Queue.offer(queue, { restarted: false, lines: [], atEnd: true, ...piece })
      ),
    /** Lets all that is due be done. */
    settle: Effect.repeat(TestClock.adjust("500 millis"), { times: 5 })
  }
})

const stage = stageOf(claude)

const shown = (usage: { readonly view: () => UsageView }) => {
  const { contextTokens, cost, lastPrompt, lastResponse, session } = usage.view().usage
  return { context: contextTokens, cost: cost?.usd ?? null, session: session?.input ?? null, lastPrompt, lastResponse }
}

describe("what a session uses", () => {
  effect("is also what its subagents use, as their transcripts appear and grow", function* () {
    const { begin, give, settle, transcript, usage } = yield* stage
    const aside = (input: number) => answer(input).replace('{"type"', '{"isSidechain":true,"type"')
    yield* begin
    yield* transcript("/t.jsonl")
    yield* give("/t.jsonl", { restarted: true, lines: [answer(1_000)] })
    yield* settle
    assert.strictEqual(usage.view().usage.cost?.usd, 1)
    yield* give("/t/subagents/agent-a.jsonl", { restarted: true, lines: [aside(2_000)], atEnd: false })
    yield* give("/t.jsonl", { lines: [answer(100)] })
    yield* settle
    assert.deepInclude(usage.view().usage.cost, {
      usd: 3.1,
      floor: "the transcripts of its subagents are not read to their end yet"
    })
    assert.strictEqual(usage.view().usage.contextTokens, 100)
    yield* give("/t/subagents/agent-a.jsonl", { lines: [aside(500)] })
    // one that begins a moment after the notice
    yield* give("/t/subagents/deep/agent-b.jsonl", { restarted: true, lines: [aside(3_000)] })
    yield* settle
    assert.deepStrictEqual(usage.view().usage.cost, { usd: 6.6, estimated: true })
    // another conversation has none of them
    yield* transcript("/u.jsonl")
    yield* give("/u.jsonl", { restarted: true, lines: [answer(1_000)] })
    yield* settle
    assert.strictEqual(usage.view().usage.cost?.usd, 1)
  })

  effect("is also what Codex's agents use, whose rollouts lie among those of other sessions", function* () {
    const { begin, give, listed, settle, transcript, usage } = yield* stageOf(codex)
    yield* TestClock.setTime(Date.parse("2026-11-27T10:00:00Z"))
    const day = "/x/sessions/2026/11/27"
    const record = (type: string, payload: object) =>
      JSON.stringify({ timestamp: "2026-11-27T10:00:00Z", type, payload })
    const began = (id: string, session_id: string, agent_path?: string) =>
      record("session_meta", {
        id,
        session_id,
        source: agent_path === undefined ? "cli" : { subagent: { thread_spawn: { agent_path } } }
      })
    const used = (input_tokens: number) =>
      record("event_msg", { type: "token_count", info: { total_token_usage: { input_tokens } } })
    const model = record("turn_context", { model: "plain" })
    const spawn = record("response_item", {
      type: "function_call",
      name: "spawn_agent",
      arguments: JSON.stringify({ task_name: "look", message: "m" })
    })
    const own = `${day}/rollout-2026-11-27T10-00-00-root.jsonl`
    yield* begin
    yield* transcript(own)
    yield* give(own, { restarted: true, lines: [began("root", "root"), model, used(500)] })
    yield* settle
    assert.deepStrictEqual(listed, [], "nothing is looked for before one is called")
    yield* give(own, { lines: [used(1_000), spawn] })
    yield* settle
    assert.deepInclude(usage.view().usage.cost, {
      usd: 1,
      floor: "the transcripts of some of its subagents are not there"
    })
    const other = `${day}/rollout-2026-11-27T10-00-01-other.jsonl`
    yield* give(other, { restarted: true, lines: [began("other", "other", "/root/look"), model, used(4_000)] })
    const agent = `${day}/rollout-2026-11-27T10-00-02-agent.jsonl`
    // its first record is not written to its end yet
    yield* give(agent, { restarted: true, lines: [] })
    yield* give(own, { lines: [used(1_500)] })
    yield* settle
    assert.strictEqual(usage.view().usage.cost?.usd, 1.5)
    yield* give(agent, { restarted: true, lines: [began("agent", "root", "/root/look"), model, used(2_000)] })
    yield* settle
    assert.deepStrictEqual(usage.view().usage.cost, { usd: 3.5, estimated: true })
    yield* give(agent, { lines: [used(2_500)] })
    yield* settle
    assert.strictEqual(usage.view().usage.cost?.usd, 4)
    assert.strictEqual(usage.view().usage.session?.input, 4_000)
  })

  effect(
    "a long transcript's end is known first, its sums when all of it is read, and it goes on from there",
    function* () {
      const { begin, ends, give, settle, transcript, usage } = yield* stage
      yield* begin
      ends.set("/t", [asked("late"), answer(400, "later")])
      yield* transcript("/t")
      yield* settle
      assert.deepStrictEqual(shown(usage), {
        context: 400,
        cost: null,
        session: null,
        lastPrompt: "late",
        lastResponse: "later"
      })
      const last = answer(400, "later")
      yield* give("/t", { restarted: true, lines: [answer(100), answer(200)], atEnd: false })
      yield* settle
      assert.deepStrictEqual(shown(usage), {
        context: 400,
        cost: null,
        session: null,
        lastPrompt: "late",
        lastResponse: "later"
      })
      yield* give("/t", { lines: [asked("late"), last] })
      yield* settle
      assert.deepStrictEqual(shown(usage), {
        context: 400,
        cost: 0.7,
        session: 700,
        lastPrompt: "late",
        lastResponse: "later"
      })
      // what has grown past a piece is known until the rest has come
      yield* give("/t", { lines: [answer(500, "new"), last], atEnd: false })
      yield* settle
      assert.deepStrictEqual(shown(usage), {
        context: 400,
        cost: 1.2,
        session: 1200,
        lastPrompt: "late",
        lastResponse: "later"
      })
    }
  )

  effect("a transcript that was cut short or replaced is counted anew; another one is another account", function* () {
    const { begin, give, settle, transcript, usage } = yield* stage
    yield* begin
    yield* transcript("/t")
    yield* give("/t", { restarted: true, lines: [answer(100), "", "{", "5", answer(200)] })
    yield* settle
    assert.strictEqual(usage.view().usage.session?.input, 300)
    yield* give("/t", { restarted: true, lines: [answer(7)], atEnd: false })
    yield* settle
    assert.strictEqual(usage.view().usage.session?.input, 300, "the new beginning is no whole")
    yield* give("/t", { lines: [answer(1)] })
    yield* settle
    assert.strictEqual(usage.view().usage.session?.input, 8)
    yield* transcript("/other")
    yield* settle
    assert.deepStrictEqual(shown(usage), {
      context: null,
      cost: null,
      session: null,
      lastPrompt: null,
      lastResponse: null
    })
    yield* give("/t", { lines: [answer(1000)] })
    yield* give("/other", { restarted: true, lines: [answer(3)] })
    yield* settle
    assert.strictEqual(usage.view().usage.session?.input, 3)
  })

  effect("is told of the last turn alone, once it is known what all had cost before it", function* () {
    const { begin, give, settle, transcript, turn, usage } = yield* stage
    const told = Effect.map(settle, () => [usage.view().usage.cost?.usd ?? null, usage.view().turnUsd])
    yield* begin
    yield* transcript("/t")
    turn(1_000)
    yield* give("/t", { restarted: true, lines: [answer(100)] })
    // what stood there before may be another turn's
    assert.deepStrictEqual(yield* told, [0.1, null])
    turn(2_000)
    yield* give("/t", { lines: [answer(200)] })
    assert.deepStrictEqual(yield* told, [0.3, 0.2])
    yield* give("/t", { lines: [answer(300)] })
    assert.deepStrictEqual(yield* told, [0.6, 0.5])
    turn(3_000)
    yield* give("/t", { lines: [answer(50)] })
    assert.deepStrictEqual(yield* told, [0.65, 0.05])
    // it begins to count anew
    yield* give("/t", { restarted: true, lines: [answer(10)] })
    assert.deepStrictEqual(yield* told, [0.01, null])
  })

  effect("is shown at most once a second, and not when nothing is new", function* () {
    const { begin, published, settle, usage } = yield* stage
    yield* begin
    const line = (used: number) => ({
      event: "StatusLine",
      nested: false,
      payload: { context_window: { context_window_size: 1000, total_input_tokens: used } }
    })
    for (let i = 0; i < 40; i++) {
      usage.onHook(line(i))
      yield* TestClock.adjust("100 millis")
    }
    assert.isAtMost(published.length, 5)
    yield* settle
    yield* settle
    const count = published.length
    assert.strictEqual(published.at(-1)?.usage.contextTokens, 39)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(published.length, count)
  })

  effect("is read from the next transcript where one could not be read", function* () {
    const record = (line: unknown) =>
      JSON.stringify(line).includes("unreadable") ? assert.fail("of the test") : claude.usage.record(line)
    const provider = { ...claude, usage: { ...claude.usage, record } }
    const { begin, give, settle, transcript, usage } = yield* stageOf(provider)
    yield* begin
    yield* transcript("/t/one.jsonl")
    yield* give("/t/one.jsonl", { lines: [asked("unreadable")] })
    yield* settle
    yield* transcript("/t/two.jsonl")
    yield* give("/t/two.jsonl", { lines: [answer(7)] })
    yield* settle
    assert.strictEqual(shown(usage).session, 7)
  })

  effect("the session's last word has what was heard a moment before", function* () {
    const { begin, published, usage } = yield* stage
    yield* begin
    const line = (used: number) => ({
      event: "StatusLine",
      nested: false,
      payload: { context_window: { context_window_size: 1000, total_input_tokens: used } }
    })
    const shown = () => published.at(-1)?.usage.contextTokens
    usage.onHook(line(1))
    yield* TestClock.adjust("100 millis")
    usage.onHook(line(2))
    yield* TestClock.adjust(1)
    assert.strictEqual(usage.view().usage.contextTokens, 2, "who decides by it knows it at once")
    assert.strictEqual(shown(), 1)
    usage.onHook(line(3))
    yield* usage.flush
    assert.strictEqual(shown(), 3)
  })

  effect("a nested CLI's hooks are not the session's, and hooks that say nothing show nothing", function* () {
    const { begin, published, settle, usage } = yield* stage
    yield* begin
    usage.onHook({
      event: "StatusLine",
      nested: true,
      payload: { context_window: { context_window_size: 1000, total_input_tokens: 5 } }
    })
    usage.onHook({ event: "Stop", nested: false, payload: { session_id: "x" } })
    yield* settle
    assert.deepStrictEqual([published.length, usage.view()], [0, noUsageView])
  })

  effect("prices, and the file that tells of windows, are looked at again each minute, not each time", function* () {
    const { begin, documents, give, priced, setAside, setTable, settle, transcript, usage } = yield* stage
    yield* begin
    yield* transcript("/t")
    const more = Effect.fnUntraced(function* () {
      yield* give("/t", { lines: [answer(1000)] })
      yield* settle
      return usage.view().usage
    })
    assert.deepStrictEqual([(yield* more()).cost?.usd, (yield* more()).window], [1, 100_000])
    setTable({ plain: { input_cost_per_token: 1 } })
    setAside(JSON.stringify({ projects: { "/q": { lastModelUsage: { "plain[1m]": {} } } } }))
    assert.strictEqual((yield* more()).cost?.usd, 3)
    assert.deepStrictEqual([priced(), documents], [1, ["/home/dev/.claude.json"]])
    yield* TestClock.adjust("1 minute")
    const later = yield* more()
    assert.deepStrictEqual([later.cost?.usd, later.window, priced()], [4000, 1_000_000, 2])
  })
})

describe("what the status says of it", () => {
  const facts = { lastPrompt: null, lastResponse: null, turnStartedAt: null, turnEndedAt: null }
  const said: UsageView = {
    ...noUsageView,
    usage: { ...unknownUsage, lastPrompt: "written", lastResponse: "wrote" },
    promptAt: 100_000,
    responseAt: 100_000
  }

  it.each([
    ["nothing told", facts, ["written", "wrote"]],
    [
      "told, and the transcript is of the same turn",
      { ...facts, lastPrompt: "told", lastResponse: "said", turnStartedAt: 99_990, turnEndedAt: 100_010 },
      ["told", "said"]
    ],
    [
      "told long before",
      { ...facts, lastPrompt: "told", lastResponse: "said", turnStartedAt: 90_000, turnEndedAt: 95_000 },
      ["written", "wrote"]
    ],
    [
      "told after",
      { ...facts, lastPrompt: "told", lastResponse: "said", turnStartedAt: 110_000, turnEndedAt: 120_000 },
      ["told", "said"]
    ],
    ["told at a time that is not known", { ...facts, lastPrompt: "told", lastResponse: "said" }, ["told", "said"]]
  ] as const)("the hooks' words and the transcript's: %s", (_, facts, words) => {
    const { lastMessage, lastResponse } = usageFields(said, facts)
    assert.deepStrictEqual([lastMessage, lastResponse], [...words])
  })

  it("hooks' words stay when the transcript has none", () => {
    const told = usageFields(
      { ...noUsageView, promptAt: 100_000, responseAt: 100_000 },
      { ...facts, lastPrompt: "told", lastResponse: "said", turnStartedAt: 1, turnEndedAt: 1 }
    )
    assert.deepStrictEqual([told.lastMessage, told.lastResponse, told.context, told.cost], ["told", "said", null, null])
  })

  it("a context has a share where its window is known", () => {
    const of = (contextTokens: number | null, window: number | null) =>
      usageFields({ ...noUsageView, usage: { ...unknownUsage, contextTokens, window } }, facts).context
    assert.deepStrictEqual(
      [of(86_000, 200_000), of(5, null), of(null, 5)],
      [{ usedTokens: 86_000, window: 200_000, percent: 43 }, { usedTokens: 5, window: null, percent: null }, null]
    )
  })

  it("the transcript is the file that hooks name, else the one the CLI has for the session", () => {
    const copilot = {
      ...claude,
      transcript: (env: Readonly<Record<string, string>>, id: string) => `${env["HOME"]}/${id}`
    }
    const at = (sessionId: string | null, transcriptPath: string | null) =>
      transcriptPathOf(copilot, { HOME: "/h" }, { sessionId, transcriptPath })
    assert.deepStrictEqual(
      [
        at("s", "/named"),
        at("s", null),
        at(null, null),
        transcriptPathOf(claude, {}, { sessionId: "s", transcriptPath: null })
      ],
      ["/named", "/h/s", null, null]
    )
  })
})
