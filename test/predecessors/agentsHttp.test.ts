import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { messagesOf } from "../../src/domain/cli/agents/http/ChatRequest.ts"
import { begin } from "../../src/domain/cli/agents/turns.ts"
import { make, providerName } from "../../src/layers/agents/http/AgentProviderHttp.ts"
import { base, clientOf, collect, converse, execute, fine, key, reply } from "../support/headless/chatClient.ts"
import { chunk, stream, usage, whole } from "../support/headless/chatServer.ts"
import { type ListedRows, type ScenarioRow, scenarios } from "./support/scenarioTable.ts"

const range = (first: number, last: number): ReadonlyArray<string> =>
  Array.from({ length: last - first + 1 }, (_, at) => `A${first + at}`)
const ids = [...range(1, 15), ...range(20, 30), ...range(40, 46), ...range(50, 55), ...range(60, 71), ...range(80, 82)]

/** The message of the error that these options lead to, without a request. */
const refused = (options: object, message: string, prompt?: string) =>
  Effect.gen(function* () {
    const { error, result, sent } = yield* execute([fine("a")], options, prompt)
    assert.strictEqual(error?.message, message)
    assert.isNull(result)
    assert.strictEqual(sent.length, 0)
  })

const all = (...checks: ReadonlyArray<Effect.Effect<void>>) => Effect.all(checks, { discard: true })

const bodyWith = (options: object) =>
  Effect.map(execute([fine("a")], options), ({ sent }) => sent[0]?.body ?? assert.fail("no request"))

/** What a status is told as, both in one turn and in a conversation. */
const status = (code: number, headers: Record<string, string>, ...texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const body = `{"error":{"message":"Bearer ${key} is no good"}}`
    const answers = [reply(code, body, headers)]
    const outcomes = [
      yield* execute(answers, { timeout: 100 }),
      yield* converse(begin(providerName), answers, { timeout: 1 })
    ]
    for (const { error, result } of outcomes) {
      assert.isNull(result)
      for (const text of [...texts, `(HTTP ${code})`]) assert.include(error?.message, text)
      assert.notInclude(`${error?.message}${JSON.stringify(error)}`, key)
    }
  })

/**
 * The events of one chunk of a stream, without those of its beginning and end. Without a key nothing is held back as
 * its beginning.
 */
const told = (piece: string) =>
  Effect.map(execute([reply(200, `${piece}${chunk({}, "stop")}`)], { apiKey: "" }), ({ events }) =>
    events.filter(({ _tag }) => _tag !== "Started" && _tag !== "Answered" && _tag !== "Retrying")
  )

const tool = (...calls: ReadonlyArray<object>) => chunk({ tool_calls: calls })
const call = (index: number, id: string | undefined, name: string | undefined, args: string) => ({
  index,
  id,
  function: { name, arguments: args }
})
const calls = (...pieces: ReadonlyArray<string>) =>
  Effect.map(told(pieces.join("")), (events) =>
    events.map((event) => (event._tag === "ToolStarted" ? [event.id, event.tool, event.input] : event._tag))
  )

const turns = [
  { role: "user", text: "a", tokens: 1 },
  { role: "assistant", text: "b", tokens: 1 },
  { role: "user", text: "c", tokens: 1 }
] as const

const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "A1",
    says: "a base URL is required",
    check: () => refused({ baseUrl: null }, "baseUrl: is required: give it, or set OPENAI_BASE_URL")
  },
  {
    id: "A2",
    says: "a model is required",
    check: () => refused({ model: null }, "model: is required: give it, or set OPENAI_MODEL")
  },
  {
    id: "A3",
    says: "the environment has both",
    check: () =>
      Effect.gen(function* () {
        const { result, sent } = yield* execute([fine("a")], { baseUrl: null, model: null }, "P", {
          OPENAI_BASE_URL: "http://e/v1",
          OPENAI_MODEL: "e"
        })
        assert.deepStrictEqual(
          [result?.text, sent[0]?.url, sent[0]?.body["model"]],
          ["a", "http://e/v1/chat/completions", "e"]
        )
      })
  },
  {
    id: "A4",
    says: "slashes at the end of the base URL, http and https",
    check: () =>
      all(
        ...["http://h/v1", "http://h/v1/", "https://h/v1", "https://h/v1//"].map((baseUrl) =>
          Effect.map(execute([fine("a")], { baseUrl }), ({ sent }) =>
            assert.match(sent[0]?.url ?? "", /^https?:\/\/h\/v1\/chat\/completions$/)
          )
        )
      )
  },
  {
    id: "A5",
    says: "a temperature out of bounds",
    check: () =>
      all(
        ...[-0.5, 2.5, 3.5, 3].map((temperature) =>
          refused({ temperature }, `temperature: must be between 0 and 2, got ${temperature}`)
        )
      )
  },
  {
    id: "A6",
    says: "a temperature that is none",
    check: () => refused({ temperature: "hot" }, "temperature: must be a number, got a string")
  },
  {
    id: "A7",
    says: "a top_p out of bounds",
    check: () => all(...[5, 2, -0.1].map((topP) => refused({ topP }, `topP: must be between 0 and 1, got ${topP}`)))
  },
  {
    id: "A8",
    says: "a top_p that is none",
    check: () => refused({ topP: "high" }, "topP: must be a number, got a string")
  },
  {
    id: "A9",
    says: "whole numbers will do",
    check: () =>
      Effect.map(bodyWith({ temperature: 1, topP: 0 }), (body) => assert.include(body, { temperature: 1, top_p: 0 }))
  },
  {
    id: "A10",
    says: "one bound for the tokens",
    differs: "leap has one option, maxTokens, for both names of the API; there is nothing to choose between",
    check: () =>
      Effect.map(bodyWith({ maxTokens: 512, max_tokens: 2_048 }), (body) =>
        assert.include(body, { max_completion_tokens: 512 })
      )
  },
  {
    id: "A11",
    says: "a bound, or none",
    check: () =>
      all(
        Effect.map(bodyWith({ maxTokens: 256 }), (body) => assert.include(body, { max_completion_tokens: 256 })),
        Effect.map(bodyWith({ maxTokens: 512.0 }), (body) => assert.include(body, { max_completion_tokens: 512 })),
        Effect.map(bodyWith({}), (body) => assert.doesNotHaveAnyKeys(body, ["max_completion_tokens", "max_tokens"]))
      )
  },
  {
    id: "A12",
    says: "a bound below 0",
    check: () =>
      all(
        ...[-1, -10, -100].map((maxTokens) =>
          refused({ maxTokens }, `maxTokens: must be non-negative, got ${maxTokens}`)
        )
      )
  },
  {
    id: "A13",
    says: "the bound goes by its name of today",
    differs: "a server that rejects max_completion_tokens is asked again with max_tokens, as older ones know only that",
    check: () =>
      Effect.gen(function* () {
        const { sent } = yield* execute(
          [reply(400, '{"error":{"message":"Unknown parameter: max_completion_tokens"}}'), fine("a")],
          { maxTokens: 5 }
        )
        assert.doesNotHaveAnyKeys(sent[0]?.body, ["max_tokens"])
        assert.include(sent[0]?.body, { max_completion_tokens: 5 })
        assert.doesNotHaveAnyKeys(sent[1]?.body, ["max_completion_tokens"])
        assert.include(sent[1]?.body, { max_tokens: 5 })
      })
  },
  {
    id: "A14",
    says: "an empty prompt",
    check: () => all(...["", "   ", "\t\t"].map((prompt) => refused({}, "the prompt is empty", prompt)))
  },
  {
    id: "A15",
    says: "numbers and the prompt in the body",
    check: () =>
      Effect.map(bodyWith({ temperature: 1.5, maxTokens: 100, topP: 0.9 }), (body) =>
        assert.deepInclude(body, {
          temperature: 1.5,
          max_completion_tokens: 100,
          top_p: 0.9,
          messages: [{ role: "user", content: "P" }]
        })
      )
  },
  {
    id: "A20",
    says: "the answer and its exact tokens",
    check: () =>
      Effect.map(execute([fine("hello")]), ({ result }) => {
        assert.strictEqual(result?.text, "hello")
        assert.include(result?.tokens, { total: 18, estimated: false })
      })
  },
  {
    id: "A21",
    says: "an answer in JSON",
    check: () =>
      Effect.map(execute([fine('{"a":1}')], { outputFormat: "json" }), ({ result }) =>
        assert.deepStrictEqual(result?.json, { a: 1 })
      )
  },
  {
    id: "A22",
    says: "prose instead of JSON",
    check: () =>
      Effect.map(execute([fine("prose")], { outputFormat: "json" }), ({ error, result }) => {
        assert.isNull(result)
        assert.include(error, { _tag: "AgentProtocolError", text: "prose" })
      })
  },
  {
    id: "A23",
    says: "no JSON asked for",
    differs: "what was not asked for is null, not an empty object that an answer could have been",
    check: () =>
      Effect.map(execute([fine("{}")]), ({ result }) =>
        assert.deepStrictEqual([result?.json, result?.text], [null, "{}"])
      )
  },
  {
    id: "A24",
    says: "turns of before, and a system prompt",
    check: () =>
      Effect.map(converse({ ...begin(providerName), turns }, [fine("d")], { systemPrompt: "SYS" }), ({ sent }) =>
        assert.deepStrictEqual(
          sent[0]?.body.messages.map(({ content, role }) => [role, content]),
          [
            ["system", "SYS"],
            ["user", "a"],
            ["assistant", "b"],
            ["user", "c"],
            ["user", "P"]
          ]
        )
      )
  },
  {
    id: "A25",
    says: "tokens in a conversation",
    check: () =>
      Effect.map(
        converse(begin(providerName), [reply(200, `${chunk({ content: "a" }, "stop")}${usage(35, 10)}`)]),
        ({ result }) =>
          assert.deepStrictEqual(result?.result.tokens, {
            input: 35,
            cacheRead: 0,
            cacheWrite: 0,
            output: 10,
            total: 45,
            estimated: false
          })
      )
  },
  {
    id: "A26",
    says: "two turns more, and the given conversation as it was",
    check: () =>
      Effect.gen(function* () {
        const given = { ...begin(providerName), turns, totalTokens: 3 }
        const before = structuredClone(given)
        const { result } = yield* converse(given, [fine("d")])
        assert.deepStrictEqual(given, before)
        assert.deepStrictEqual(
          result?.conversation.turns.slice(3).map(({ role, text }) => [role, text]),
          [
            ["user", "P"],
            ["assistant", "d"]
          ]
        )
      })
  },
  {
    id: "A27",
    says: "a system prompt and one turn",
    check: () =>
      assert.deepStrictEqual(
        messagesOf(turns.slice(0, 1), "SYS", "P").messages.map(({ role }) => role),
        ["system", "user", "user"]
      )
  },
  {
    id: "A29",
    says: "a bad option in a conversation",
    check: () =>
      Effect.map(converse(begin(providerName), [fine("a")], { temperature: 3 }), ({ error, result, sent }) => {
        assert.strictEqual(error?.message, "temperature: must be between 0 and 2, got 3")
        assert.deepStrictEqual([result, sent.length], [null, 0])
      })
  },
  {
    id: "A30",
    says: "cancelled before it began",
    differs: "an interruption is no error of its own in leap: the stream ends as interrupted, and nothing was asked",
    check: () =>
      Effect.gen(function* () {
        const { layer, sent } = clientOf(fine("a"))
        const agent = yield* make({}).pipe(Effect.provide(layer))
        const runs = [
          Effect.asVoid(collect(agent.execute("P", base))),
          Effect.asVoid(collect(agent.executeConversation(begin(providerName), "P", base)))
        ]
        const fibers = yield* Effect.forEach(runs, (run) => Effect.forkChild(run))
        yield* Fiber.interruptAll(fibers)
        for (const fiber of fibers) assert.strictEqual((yield* Fiber.await(fiber))._tag, "Failure")
        assert.strictEqual(sent.length, 0)
      })
  },
  {
    id: "A40",
    says: "401",
    differs: "the server's own words are told, masked: they say which key is wrong and why",
    check: () => status(401, {}, "authentication failed", "Bearer *** is no good")
  },
  {
    id: "A41",
    says: "429 with Retry-After",
    check: () =>
      all(
        status(429, { "retry-after": "60" }, "rate limited, retry after 60 s"),
        status(429, { "retry-after": "120" }, "rate limited, retry after 120 s")
      )
  },
  { id: "A42", says: "429", check: () => status(429, { "retry-after-ms": "90000" }, "rate limited") },
  {
    id: "A43",
    says: "500, 502, 503",
    check: () => all(...[500, 502, 503].map((code) => status(code, { "retry-after": "60" }, "server error")))
  },
  {
    id: "A44",
    says: "400, 403, 404",
    differs: "403 is told as what it is, a failed authentication, and has its exit code",
    check: () =>
      all(status(400, {}, "bad request"), status(404, {}, "bad request"), status(403, {}, "authentication failed"))
  },
  { id: "A45", says: "418", check: () => status(418, {}, "unexpected status") },
  {
    id: "A46",
    says: "the key is in no error",
    check: () => all(...[401, 429, 500].map((code) => status(code, { "retry-after": "60" }, "***")))
  },
  {
    id: "A50",
    says: "text of a delta",
    differs:
      "an event of leap is the same for all providers: the chunk's own type is not in it, and that it is a delta is",
    check: () =>
      all(
        ...["plain", "two\nlines", "é日本🎉", "\"quoted\" 'too'"].map((content) =>
          Effect.map(told(chunk({ content })), (events) =>
            assert.deepStrictEqual(events, [{ _tag: "Text", text: content, delta: true, message: "c1", agent: null }])
          )
        )
      )
  },
  {
    id: "A51",
    says: "chunks that say nothing",
    differs:
      "a broken one is an error rather than nothing, since a part of the answer was in it, and one that is no chunk is told as a notice",
    check: () =>
      all(
        ...[
          chunk({ role: "assistant" }),
          chunk({}, "stop"),
          usage(1, 1).replace(/,"usage":.*\}\n/, "}\n"),
          'data: {"object":"x"}\n\n',
          "data: \n\n"
        ].map((piece) => Effect.map(told(piece), (events) => assert.deepStrictEqual(events, []))),
        Effect.map(told("data: {}\n\n"), (events) =>
          assert.deepStrictEqual(
            events.map(({ _tag }) => _tag),
            ["Notice"]
          )
        ),
        Effect.map(execute([reply(200, "data: plain\n\n")]), ({ error }) =>
          assert.strictEqual(error?._tag, "AgentProtocolError")
        )
      )
  },
  {
    id: "A52",
    says: "a call of a tool",
    check: () =>
      Effect.map(told(tool(call(0, "c", "read", '{"file_path":"F"}'))), (events) =>
        assert.deepStrictEqual(events, [
          { _tag: "ToolStarted", id: "c", tool: "read", preview: "F", input: { file_path: "F" }, agent: null }
        ])
      )
  },
  {
    id: "A53",
    says: "a whole message with text and a call",
    check: () =>
      Effect.map(execute([reply(200, whole({ content: "t", tool_calls: [call(0, "c", "x", "{}")] }))]), ({ events }) =>
        assert.deepStrictEqual(
          events.slice(1, 3).map(({ _tag }) => _tag),
          ["Text", "ToolStarted"]
        )
      )
  },
  {
    id: "A54",
    says: "previews of arguments",
    differs: "a preview has room for 80 characters, as for every provider",
    check: () =>
      Effect.gen(function* () {
        const preview = (args: string) =>
          Effect.map(told(tool(call(0, "c", "x", args))), ([event]) =>
            event?._tag === "ToolStarted" ? event.preview : null
          )
        assert.strictEqual(yield* preview(JSON.stringify({ command: "y".repeat(200) })), `${"y".repeat(79)}…`)
        assert.strictEqual(yield* preview('{"unknown":1}'), "")
        assert.strictEqual(yield* preview("{oops"), "")
      })
  },
  {
    id: "A55",
    says: "the answer is given out as it comes",
    check: () =>
      Effect.map(execute([reply(200, stream("a", "b"))]), ({ events, result }) => {
        assert.deepStrictEqual(
          events.flatMap((event) => (event._tag === "Text" ? [event.text] : [])),
          ["a", "b"]
        )
        assert.strictEqual(result?.text, "ab")
      })
  },
  {
    id: "A80",
    says: "pieces of calls are merged, in order",
    check: () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* calls(tool(call(0, "c", "x", "{}"))), [["c", "x", {}]])
        assert.deepStrictEqual(
          yield* calls(
            tool(call(0, "c", "x", '{"a"')),
            tool(call(0, undefined, undefined, ":")),
            tool(call(0, undefined, undefined, "1}"))
          ),
          [["c", "x", { a: 1 }]]
        )
        assert.deepStrictEqual(
          yield* calls(
            tool(call(0, "c", "x", "{"), call(1, "d", "y", "{")),
            tool(call(1, undefined, undefined, "}"), call(0, undefined, undefined, "}"))
          ),
          [
            ["c", "x", {}],
            ["d", "y", {}]
          ]
        )
        assert.deepStrictEqual(yield* calls(tool(call(1, "d", "y", "{}")), tool(call(0, "c", "x", "{}"))), [
          ["c", "x", {}],
          ["d", "y", {}]
        ])
      })
  },
  {
    id: "A81",
    says: "arguments that are no JSON",
    differs:
      "the answer is not thrown away for them: the call is told with the text that they are, and a notice names the tool",
    check: () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* calls(tool(call(0, "c", "x", "{oops"))), [["c", "x", "{oops"], "Notice"])
        assert.deepStrictEqual(yield* calls(tool(call(0, "c", "x", "{")), tool(call(0, undefined, undefined, "!"))), [
          ["c", "x", "{!"],
          "Notice"
        ])
      })
  },
  {
    id: "A82",
    says: "no arguments, nested ones, an empty name later",
    check: () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* calls(tool(call(0, "c", "x", ""))), [["c", "x", {}]])
        assert.deepStrictEqual(yield* calls(tool(call(0, "c", "x", "{}"))), [["c", "x", {}]])
        assert.deepStrictEqual(yield* calls(tool(call(0, "c", "x", '{"a":{"b":1}}'))), [["c", "x", { a: { b: 1 } }]])
        assert.deepStrictEqual(yield* calls(tool(call(0, "c", "x", "{")), tool(call(0, "", "", "}"))), [["c", "x", {}]])
      })
  }
]

const listed: ReadonlyArray<ListedRows> = [
  { ids: ["A28"], why: "a conversation that is absent cannot be asked for: the types of the service have none" },
  {
    ids: range(60, 71),
    why: "leap offers a model no tools of its own over HTTP, so there is no loop of calls; a call that comes all the same is an event and the stop reason"
  }
]

describe("an OpenAI-compatible server, row by row", () => {
  scenarios(ids, rows, listed)
})
