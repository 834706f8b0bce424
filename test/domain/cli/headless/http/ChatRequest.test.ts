import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { bodyOf, contextOf, messagesOf, promptToSend } from "../../../../../src/domain/cli/headless/http/ChatRequest.ts"
import {
  type Dialect,
  newest,
  simplerDialect,
  type Wanted
} from "../../../../../src/domain/cli/headless/http/Dialect.ts"
import { responseFailure } from "../../../../../src/domain/cli/headless/http/HttpFailure.ts"
import { Turn } from "../../../../../src/domain/cli/headless/Conversation.ts"

const settings = { model: "m", fields: { temperature: 1 }, maxTokens: 100 }
const turn = (role: Turn["role"], text: string, extra?: unknown): Turn => ({
  role,
  text,
  tokens: null,
  ...(extra === undefined ? {} : { extra })
})
const call = (id: string) => ({ id, type: "function", function: { name: "x", arguments: "{}" } })

describe("the body of a request", () => {
  it("streams, asks for the usage, and bounds the tokens by the name of today", () => {
    assert.deepStrictEqual(bodyOf(settings, [{ role: "user", content: "P" }], newest), {
      model: "m",
      messages: [{ role: "user", content: "P" }],
      temperature: 1,
      max_completion_tokens: 100,
      stream: true,
      stream_options: { include_usage: true }
    })
    assert.doesNotHaveAnyKeys(bodyOf({ ...settings, maxTokens: null }, [], newest), [
      "max_completion_tokens",
      "max_tokens"
    ])
    assert.containsAllKeys(bodyOf({ ...settings, maxTokens: 0 }, [], newest), ["max_completion_tokens"])
    const old = bodyOf(settings, [], {
      maxTokens: "max_tokens",
      stream: false,
      usage: true,
      responseFormat: true,
      jsonSchema: true
    })
    assert.deepStrictEqual(old, { model: "m", messages: [], temperature: 1, max_tokens: 100 })
  })

  const rejected = (
    dialect: Dialect,
    status: number,
    text: string,
    wanted: Partial<Wanted> = {},
    fields: ReadonlyArray<string> = []
  ) =>
    simplerDialect(dialect, { status, text, fields }, { maxTokens: true, json: false, schema: false, ...wanted })
      ?.dialect ?? null

  it.each<readonly [string, number, string, object | null]>([
    ["max tokens", 400, "Unrecognized request argument supplied: max_completion_tokens", { maxTokens: "max_tokens" }],
    ["usage", 400, "Unknown field: stream_options", { usage: false }],
    ["streaming", 400, "Your organization must be verified to stream this model. unsupported_value", { stream: false }],
    ["something else", 400, "Unsupported value: 'temperature' does not support 0.5", null],
    ["a wrong value", 400, "max_completion_tokens is too large", null],
    ["another status", 500, "unknown max_completion_tokens", null]
  ])("what a server does not know is left out: %s", (_, status, said, change) =>
    assert.deepStrictEqual(rejected(newest, status, said), change === null ? null : { ...newest, ...change })
  )

  const invalid = (more: object) => ({ error: { message: "Bad Request", type: "invalid_request_error", ...more } })
  const detail = (...loc: ReadonlyArray<string>) => [
    { type: "extra_forbidden", loc: ["body", ...loc], msg: "Not permitted" }
  ]
  it.each<readonly [string, number, unknown, object | null]>([
    ["FastAPI: where", 422, { detail: detail("stream_options") }, { usage: false }],
    ["FastAPI: where within", 422, { detail: detail("stream_options", "include_usage") }, { usage: false }],
    ["FastAPI: another name", 422, { detail: detail("max_completion_tokens") }, { maxTokens: "max_tokens" }],
    ["FastAPI: the schema", 422, { detail: detail("response_format", "json_schema") }, { jsonSchema: false }],
    ["FastAPI: not ours", 422, { detail: detail("messages", "0", "name") }, null],
    ["OpenAI: param", 400, invalid({ param: "stream_options" }), { usage: false }],
    [
      "OpenAI: param and code",
      400,
      invalid({ param: "max_completion_tokens", code: "unsupported_parameter" }),
      { maxTokens: "max_tokens" }
    ],
    [
      "OpenAI: param of a value",
      400,
      invalid({ param: "max_completion_tokens", code: "integer_above_max_value" }),
      null
    ],
    ["OpenAI: the schema", 400, invalid({ param: "response_format" }), { jsonSchema: false }],
    ["OpenAI: not ours", 400, invalid({ param: "messages.[0].content", message: "does not match schema" }), null],
    [
      "Mistral: a message that is an object",
      422,
      { object: "error", message: { detail: detail("stream_options") }, type: "invalid_request_error" },
      { usage: false }
    ],
    [
      "Azure: details",
      422,
      {
        error: {
          code: "Invalid input",
          status: 422,
          message: "invalid input error",
          details: [{ type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }]
        }
      },
      { usage: false }
    ],
    [
      "vLLM: in words",
      400,
      {
        object: "error",
        message: detail("max_completion_tokens")
          .map((it) => JSON.stringify(it))
          .join(),
        code: 400
      },
      { maxTokens: "max_tokens" }
    ],
    ["at the top", 400, { message: "no", param: "stream_options" }, { usage: false }],
    ["errors with paths", 400, { errors: [{ path: "/stream_options", message: "no" }] }, { usage: false }],
    ["not ours, at the top", 400, { message: "no", param: "temperature" }, null]
  ])("what a server names beside its words is left out: %s", (_, status, body, change) => {
    const { fields, serverText } = responseFailure({ status, headers: {}, body: JSON.stringify(body), now: 0 }, [])
    assert.deepStrictEqual(
      rejected(newest, status, serverText, { schema: true }, fields),
      change === null ? null : { ...newest, ...change }
    )
  })

  it.each<readonly [string, number, string]>([
    ["OpenAI", 400, "Invalid schema for response_format 'answer': In context=(), 'required' is required"],
    [
      "OpenAI, an old model",
      400,
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model"
    ],
    [
      "Azure",
      400,
      "response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later"
    ],
    ["DeepSeek", 400, "This response_format type is unavailable now"],
    ["LM Studio", 400, "'response_format.type' must be 'json_schema' or 'text'"],
    ["Groq", 400, "This model does not support structured outputs"],
    ["Groq, as it checks", 400, "Generated JSON does not match the expected schema. Please adjust your prompt."],
    ["llama.cpp", 400, "JSON schema conversion failed: Unrecognized schema"],
    ["llama.cpp, samplers", 400, "Failed to initialize samplers: failed to parse grammar"],
    ["llama.cpp, as a server's error", 500, 'Either "json_schema" or "grammar" can be specified, but not both'],
    ["vLLM", 400, "The provided JSON schema contains features not supported by xgrammar."],
    ["vLLM, without a backend", 400, "Guided decoding is not supported by this engine"],
    ["SGLang", 400, "Invalid grammar request with cache hit: key=('json', '{}')"],
    ["TGI", 422, "Input validation error: Grammars are not supported"],
    ["Gemini", 400, "Unknown name \"additionalProperties\" at 'generation_config.response_schema': Cannot find field."],
    ["Gemini, too large", 400, "The specified schema produces a constraint that has too many states for serving."],
    ["OpenRouter", 404, "No endpoints found that can handle the requested parameters."],
    ["Ollama", 400, "invalid JSON schema in format"],
    ["Anthropic's form", 400, "output_format: Extra inputs are not permitted"],
    ["Mistral", 400, "Structured output is not available for this model"],
    ["LiteLLM", 400, "does not support parameters: ['response_format'], for model=x. To drop these, set drop_params"]
  ])("a schema that is refused is told in the prompt alone: %s", (_, status, said) => {
    assert.deepStrictEqual(rejected(newest, status, said, { schema: true }), { ...newest, jsonSchema: false })
    assert.isNull(rejected(newest, status, said))
  })

  it.each<readonly [string, number, string]>([
    ["a login", 401, "invalid schema"],
    ["a limit", 429, "response_format: rate limit"],
    ["a context", 400, "This model's maximum context length is 8192 tokens"],
    ["another option", 400, "Unsupported value: 'temperature' does not support 0.5"],
    ["a model", 404, "The model `x` does not exist"]
  ])("what is about something else is no refusal of a schema: %s", (_, status, said) =>
    assert.isNull(rejected(newest, status, said, { schema: true }))
  )

  it("asks for JSON by the format and by the prompt, and by the prompt alone where the server has no such format", () => {
    const body = (dialect: Dialect) => bodyOf({ ...settings, json: true }, [], dialect)
    assert.deepStrictEqual(body(newest)["response_format"], { type: "json_object" })
    assert.notProperty(bodyOf(settings, [], newest), "response_format")
    for (const said of [
      "'response_format.type' must be 'json_schema' or 'text'",
      "Failed to generate JSON. json_validate_failed"
    ]) {
      assert.isNull(rejected(newest, 400, said))
      const simpler = rejected(newest, 400, said, { json: true }) ?? newest
      assert.notProperty(body(simpler), "response_format")
      assert.isNull(rejected(simpler, 400, said, { json: true }))
    }
    assert.match(promptToSend("P", true), /^P\n\n.*JSON/)
    assert.strictEqual(promptToSend("P", false), "P")
  })

  it("asks for a schema by the format, then for an object, then by the prompt alone", () => {
    const strict = { type: "object", properties: {}, required: [], additionalProperties: false }
    const format = (schema: object, dialect: Dialect) =>
      bodyOf({ ...settings, schema: { ...schema } }, [], dialect)["response_format"]
    const asked = (schema: object, strict: boolean) => ({
      type: "json_schema",
      json_schema: { name: "answer", schema, strict }
    })
    assert.deepStrictEqual(format(strict, newest), asked(strict, true))
    assert.deepStrictEqual(format({ type: "array" }, newest), asked({ type: "array" }, false))
    const said = "Invalid schema for response_format 'answer'"
    const second = rejected(newest, 400, said, { schema: true }) ?? newest
    assert.deepStrictEqual(format(strict, second), { type: "json_object" })
    assert.isUndefined(format({ type: "array" }, second))
    const third = rejected(second, 400, said, { schema: true }) ?? newest
    assert.isUndefined(format(strict, third))
    assert.isNull(rejected(third, 400, said, { schema: true }))
    assert.include(promptToSend("P", false, strict), JSON.stringify(strict))
  })

  it("sends pictures beside the prompt", () => {
    const { messages } = messagesOf([], null, "P", [{ path: "/x", mediaType: "image/png", base64: "AAAA" }])
    assert.deepStrictEqual(messages.at(-1)?.["content"], [
      { type: "text", text: "P" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }
    ])
  })

  it("is made simpler at most three times", () => {
    const said = "unknown: max_completion_tokens, stream_options, stream"
    let dialect = newest
    let times = 0
    for (let next = rejected(dialect, 400, said); next !== null && times < 10; next = rejected(dialect, 400, said)) {
      dialect = next
      times++
    }
    assert.strictEqual(times, 3)
    assert.isNull(rejected(newest, 400, "unknown max_completion_tokens", { maxTokens: false }))
  })
})

describe("the messages of a request", () => {
  const roles = (turns: ReadonlyArray<Turn>, system: string | null = null) =>
    messagesOf(turns, system, "P").messages.map(({ role }) => role)

  it("a stored system prompt is not sent twice", () => {
    assert.deepStrictEqual(roles([turn("system", "SYS"), turn("user", "a")], "SYS"), ["system", "user", "user"])
  })
  it("calls of tools are sent again with all their answers, or not at all", () => {
    const calls = turn("assistant", "", { tool_calls: [call("c"), call("d")], context: 3 })
    const answer = (id: string) => turn("tool", id, { tool_call_id: id })
    assert.deepStrictEqual(
      messagesOf([turn("user", "a"), calls, answer("d"), answer("c"), turn("assistant", "done")], null, "P"),
      {
        messages: [
          { role: "user", content: "a" },
          { role: "assistant", content: null, tool_calls: [call("c"), call("d")] },
          { role: "tool", tool_call_id: "d", content: "d" },
          { role: "tool", tool_call_id: "c", content: "c" },
          { role: "assistant", content: "done" },
          { role: "user", content: "P" }
        ],
        leftOut: []
      }
    )
    assert.deepStrictEqual(messagesOf([turn("user", "a"), calls, answer("c")], null, "P"), {
      messages: [
        { role: "user", content: "a" },
        { role: "user", content: "P" }
      ],
      leftOut: ["calls of tools that nobody answered (2)", "the answer of a tool that was not called"]
    })
    assert.deepStrictEqual(roles([answer("c"), turn("tool", "x")]), ["user"])
  })
  it.prop("answers of tools always follow their calls", { turns: Schema.Array(Turn) }, ({ turns }) => {
    const { messages } = messagesOf(turns, "SYS", "P")
    assert.deepStrictEqual(messages.at(-1), { role: "user", content: "P" })
    messages.forEach(({ role }, index) => {
      if (role === "tool") assert.include(["tool", "assistant"], messages[index - 1]?.["role"])
    })
  })
})

describe("tokens of a conversation", () => {
  it("are those at its last answer", () => {
    assert.strictEqual(contextOf([]), 0)
    assert.strictEqual(contextOf([turn("system", "s")]), 0)
    assert.strictEqual(contextOf([turn("user", "a"), turn("assistant", "b", { context: 7 })]), 7)
    assert.isNull(
      contextOf([turn("user", "a"), turn("assistant", "b", { context: 7 }), turn("user", "a"), turn("assistant", "b")])
    )
    assert.isNull(contextOf([turn("user", "a")]))
  })
})
