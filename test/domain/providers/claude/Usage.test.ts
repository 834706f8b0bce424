import { assert, describe, it } from "@effect/vitest"
import { promptText } from "../../../../src/domain/providers/claude/Usage.ts"
import { claudeUsage } from "../../../../src/domain/providers/claude/Usage.ts"
import { jsonOf } from "../../../../src/domain/words/formats/Json.ts"
import { unknownUsage } from "../../../../src/domain/cli/usage/Usage.ts"
import { account, told, written } from "../../../support/data/account.ts"
import { fixture, records, simple } from "../../../support/data/usage.ts"

interface More {
  readonly id?: string | null
  readonly request?: string | null
  readonly model?: string
  readonly record?: Record<string, unknown>
}

const usage = (input: unknown, write: unknown, read: unknown, output: unknown) => ({
  input_tokens: input,
  cache_creation_input_tokens: write,
  cache_read_input_tokens: read,
  output_tokens: output
})
let serial = 0
const assistant = (
  used: unknown,
  { id = `msg_${serial++}`, model = "plain", record = {}, request = "req" }: More = {}
) => ({
  type: "assistant",
  isSidechain: false,
  cwd: "/p",
  timestamp: "2026-11-21T10:00:00.000Z",
  ...(request === null ? {} : { requestId: request }),
  message: {
    role: "assistant",
    model,
    content: [],
    ...(id === null ? {} : { id }),
    ...(used === undefined ? {} : { usage: used })
  },
  ...record
})
const of = (records: ReadonlyArray<unknown>, aside: unknown = null) =>
  account(claudeUsage, { records, prices: simple, aside })
const line = (payload: unknown) => account(claudeUsage, { hooks: [["StatusLine", payload]], prices: simple })

describe("Claude Code's transcript", () => {
  it("a real one: tokens, cost, context, last words", () => {
    const used = account(claudeUsage, { records: records("claude/transcript.jsonl") })
    assert.deepStrictEqual(used, {
      model: "claude-opus-5-5",
      contextTokens: 1200,
      window: 1_000_000,
      lastTurn: { input: 200, cacheRead: 700, cacheWrite: 300, output: 20 },
      session: { input: 800, cacheRead: 2800, cacheWrite: 1200, output: 80 },
      cost: { usd: 0.01136, estimated: false },
      lastPrompt: "Last one.",
      lastResponse: "Third reply."
    })
  })

  it("leap reckons from it what Claude Code reckoned itself", () => {
    const without = records("claude/transcript.jsonl").filter(
      (record) => (record as { type?: string }).type !== "cost-state"
    )
    assert.deepStrictEqual(account(claudeUsage, { records: without }).cost, { usd: 0.01136, estimated: true })
  })

  it("sidechains are not the context, whatever is last; what they used is the session's", () => {
    const used = of([assistant(usage(10, 0, 0, 1)), assistant(usage(999, 0, 0, 1), { record: { isSidechain: true } })])
    assert.strictEqual(used.contextTokens, 10)
    assert.deepStrictEqual(used.session, { input: 1009, cacheRead: 0, cacheWrite: 0, output: 2 })
  })

  it.each([
    ["an empty file", []],
    ["no answer", [{ type: "user", isMeta: true, message: { content: "hello" } }]],
    ["no usage", [assistant(undefined)]],
    ["an empty usage", [assistant({})]]
  ])("%s tells nothing", (_, records) => assert.deepStrictEqual(of(records), unknownUsage))

  it("what the CLI says in the assistant's place is neither an answer nor a request", () => {
    const answer = assistant(usage(10, 0, 0, 1), {
      record: {
        message: { id: "m", model: "plain", content: [{ type: "text", text: "Yes." }], usage: usage(10, 0, 0, 1) }
      }
    })
    const synthetic = {
      type: "assistant",
      message: {
        id: "x",
        model: "<synthetic>",
        content: [{ type: "text", text: "API Error: 500" }],
        usage: usage(0, 0, 0, 0)
      }
    }
    const used = of([
      answer,
      synthetic,
      { ...synthetic, isApiErrorMessage: true, message: { ...synthetic.message, model: "plain" } }
    ])
    assert.deepStrictEqual([used.model, used.contextTokens, used.lastResponse], ["plain", 10, "Yes."])
  })

  it("an unknown model has tokens and no cost; a mixed session costs at least what is known", () => {
    assert.isNull(of([assistant(usage(5, 0, 0, 5), { model: "nobody-knows" })]).cost)
    const mixed = of([assistant(usage(1000, 0, 0, 0)), assistant(usage(5, 0, 0, 5), { model: "nobody-knows" })])
    assert.deepStrictEqual(
      [mixed.cost, mixed.session?.input],
      [{ usd: 1, estimated: true, floor: "no price is known of nobody-knows" }, 1005]
    )
  })

  it("the records of one message count once, those of others and those without ids each", () => {
    const one = assistant(usage(7, 0, 0, 1), { id: "a" })
    assert.strictEqual(of([one, one, one]).session?.input, 7)
    assert.strictEqual(of([one, assistant(usage(7, 0, 0, 1), { id: "b" }), one]).session?.input, 14)
    assert.strictEqual(of([one, assistant(usage(7, 0, 0, 1), { id: "a", request: "again" })]).session?.input, 14)
    const nameless = assistant(usage(7, 0, 0, 1), { id: null, request: null })
    assert.strictEqual(of([nameless, nameless]).session?.input, 14)
  })

  it("what is kept for an hour has its own price, and so has the fast mode", () => {
    const long = {
      ...usage(0, 100, 0, 0),
      cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 }
    }
    assert.deepStrictEqual(of([assistant(long)]).cost, { usd: 0.32, estimated: true })
    const fast = (speed: string) =>
      account(claudeUsage, {
        records: [assistant({ ...usage(1_000_000, 0, 0, 0), speed }, { model: "claude-opus-5" })]
      }).cost?.usd
    assert.deepStrictEqual([fast("standard"), fast("fast")], [5, 10])
  })

  const projects = (own: ReadonlyArray<string>, other: ReadonlyArray<string>) => {
    const models = (names: ReadonlyArray<string>) => ({
      lastModelUsage: Object.fromEntries(names.map((name) => [name, { inputTokens: 1 }]))
    })
    return { projects: { "/p": models(own), "/q": models(other) } }
  }
  it.each([
    ["this directory used the long variant", 150_000, projects(["old-model[1m]"], []), 1_000_000],
    ["this directory used the plain model", 150_000, projects(["old-model"], []), 200_000],
    ["more is used than the model has by itself", 250_000, projects([], []), 1_000_000],
    ["nothing here, the long variant elsewhere", 150_000, projects([], ["old-model[1m]"]), 1_000_000],
    ["the plain model here, the long variant elsewhere", 150_000, projects(["old-model"], ["old-model[1m]"]), 200_000],
    ["another model here, the long variant elsewhere", 150_000, projects(["new-model"], ["old-model[1m]"]), 1_000_000],
    ["another version's long variant", 150_000, projects(["old-model-2[1m]"], ["old-model-2[1m]"]), 200_000],
    ["no such file", 150_000, null, 200_000],
    ["a file of another shape", 150_000, { projects: { "/p": 5, "/q": { lastModelUsage: [1] } } }, 200_000]
  ])("%s", (_, used, aside, window) =>
    assert.strictEqual(of([assistant(usage(used, 0, 0, 1), { model: "old-model" })], aside).window, window)
  )

  it("a request for the long variant has its window", () => {
    const asked = (requestedModel: string) =>
      of([assistant(usage(5, 0, 0, 1), { model: "old-model", record: { requestedModel } })]).window
    assert.deepStrictEqual(
      [asked("old-model[1m]"), asked("old-model"), asked("other[1m]")],
      [1_000_000, 200_000, 200_000]
    )
  })

  it("a model whose window is known has it without more words, and never less than is used", () => {
    assert.strictEqual(of([assistant(usage(50_000, 0, 0, 1))]).window, 100_000)
  })
})

describe("what Claude Code's user said", () => {
  it.each([
    ["plain", "  Fix it. ", "Fix it."],
    ["a folded paste", '\n\n<pasted_content id="3e5b">\na\nb\n</pasted_content id="3e5b">\n', "a\nb"],
    [
      "a slash command",
      "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>",
      "/model opus"
    ],
    [
      "one without arguments",
      "<command-name>/clear</command-name><command-message>clear</command-message><command-args></command-args>",
      "/clear"
    ],
    ["a command's name alone", "<command-name>/model</command-name>", null],
    ["a command's message", "<command-message>init</command-message>", null],
    ["a command's output", "<local-command-stdout>done</local-command-stdout>", null],
    ["a caveat", "<local-command-caveat>Caveat</local-command-caveat>", null],
    ["a stop", "[Request interrupted by user]", null],
    ["a stop of a tool", "[Request interrupted by user for tool use]", null],
    ["a finished task", "<task-notification>\n<task-id>1</task-id>", null],
    ["empty", "  \n ", null],
    [
      "blocks",
      [
        { type: "tool_result", content: "x" },
        { type: "text", text: "one" },
        { type: "text", text: "[Request interrupted by user]" },
        { type: "text", text: "two" }
      ],
      "one\ntwo"
    ],
    ["a tool's result", [{ type: "tool_result", content: "x" }], null],
    ["no content", undefined, null]
  ])("%s", (_, content, text) => assert.strictEqual(promptText(content), text))

  it("the last answer is the last text, tools behind it or not", () => {
    const say = (content: unknown) =>
      assistant(usage(1, 0, 0, 1), {
        record: { message: { id: `m${serial++}`, model: "plain", content, usage: usage(1, 0, 0, 1) } }
      })
    const answers = [
      say([{ type: "text", text: "first" }]),
      say([
        { type: "text", text: "one" },
        { type: "text", text: "two" }
      ]),
      say([{ type: "tool_use", name: "Bash" }])
    ]
    assert.strictEqual(of(answers).lastResponse, "one\ntwo")
    assert.isNull(of([]).lastResponse)
  })

  it("the CLI's own words in the user's place are none", () => {
    const said = (more: Record<string, unknown>) => ({ type: "user", message: { content: "words" }, ...more })
    assert.strictEqual(of([said({})]).lastPrompt, "words")
    for (const more of [{ isMeta: true }, { isSidechain: true }, { isCompactSummary: true }])
      assert.isNull(of([said(more)]).lastPrompt)
  })
})

describe("K: Claude Code's status line", () => {
  const context = (context_window: unknown, more: Record<string, unknown> = {}) => ({
    model: { id: "plain" },
    context_window,
    ...more
  })
  it("real ones", () => {
    const [start, later] = fixture("claude/status-lines.jsonl")
      .trimEnd()
      .split("\n")
      .map((text) => line(jsonOf(text)))
    assert.deepStrictEqual(
      [start?.model, start?.contextTokens, start?.window, start?.cost],
      ["claude-opus-5-5", 0, 1_000_000, { usd: 0, estimated: false }]
    )
    assert.deepStrictEqual([later?.contextTokens, later?.cost], [15_862, { usd: 0.007318, estimated: false }])
  })

  it.each([
    ["a long window", { context_window_size: 1_000_000, current_usage: usage(1, 2, 3, 4) }, [6, 1_000_000]],
    ["a short window", { context_window_size: 200_000, current_usage: usage(1, 2, 3, 4) }, [6, 200_000]],
    ["nothing used", { context_window_size: 200_000, current_usage: usage(0, 0, 0, 0) }, [0, 200_000]],
    ["missing fields", { context_window_size: 200_000, current_usage: { output_tokens: 9 } }, [0, 200_000]],
    ["no current usage", { context_window_size: 200_000, total_input_tokens: 77 }, [77, 200_000]],
    [
      "a current usage that is none",
      { context_window_size: 200_000, current_usage: [1], total_input_tokens: 77 },
      [77, 200_000]
    ],
    ["unknown fields", { context_window_size: 200_000, total_input_tokens: 5, later: true }, [5, 200_000]],
    ["more used than there is", { context_window_size: 200_000, total_input_tokens: 338_631 }, [338_631, 1_000_000]],
    ["as much used as there is", { context_window_size: 200_000, total_input_tokens: 200_000 }, [200_000, 200_000]],
    ["more than a million", { context_window_size: 2_000_000, total_input_tokens: 2_500_000 }, [2_500_000, 2_000_000]]
  ])("%s", (_, window, expected) => {
    const used = line(context(window))
    assert.deepStrictEqual([used.contextTokens, used.window], expected)
  })

  it.each([null, undefined, 5, "text", [], [{}]])("a payload of %j says nothing", (payload) =>
    assert.deepStrictEqual(line(payload), unknownUsage)
  )

  it.each([
    [{ id: "a", display_name: "A" }, "a"],
    [{ display_name: "A" }, "A"],
    ["plain name", "plain name"],
    [{}, null],
    [5, null],
    [undefined, null]
  ])("a model of %j is %s", (model, expected) =>
    assert.strictEqual(line({ model, context_window: {} }).model, expected)
  )

  it("other hooks say nothing of usage", () => {
    assert.strictEqual(
      told(claudeUsage, [["Stop", { last_assistant_message: "x", context_window: { context_window_size: 5 } }]])
        .context,
      null
    )
    assert.isNull(written(claudeUsage, [context({ context_window_size: 5 })]).context)
  })
})
