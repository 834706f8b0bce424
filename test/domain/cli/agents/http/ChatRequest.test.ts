import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  bodyOf,
  type Dialect,
  contextOf,
  messagesOf,
  newest,
  promptToSend,
  simplerDialect
} from "../../../../../src/domain/cli/agents/http/ChatRequest.ts"
import { Turn } from "../../../../../src/domain/cli/agents/Conversation.ts"

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

  it.each<readonly [string, number, string, object | null]>([
    ["max tokens", 400, "Unrecognized request argument supplied: max_completion_tokens", { maxTokens: "max_tokens" }],
    [
      "max tokens, validated",
      422,
      "max_completion_tokens: Extra inputs are not permitted",
      { maxTokens: "max_tokens" }
    ],
    ["usage", 400, "Unknown field: stream_options", { usage: false }],
    ["streaming", 400, "Your organization must be verified to stream this model. unsupported_value", { stream: false }],
    ["something else", 400, "Unsupported value: 'temperature' does not support 0.5", null],
    ["a wrong value", 400, "max_completion_tokens is too large", null],
    ["another status", 500, "unknown max_completion_tokens", null]
  ])("what a server does not know is left out: %s", (_, status, said, change) =>
    assert.deepStrictEqual(
      simplerDialect(newest, status, said, true)?.dialect ?? null,
      change === null ? null : { ...newest, ...change }
    )
  )

  it("asks for JSON by the format and by the prompt, and by the prompt alone where the server has no such format", () => {
    const body = (dialect: Dialect) => bodyOf({ ...settings, json: true }, [], dialect)
    assert.deepStrictEqual(body(newest)["response_format"], { type: "json_object" })
    assert.notProperty(bodyOf(settings, [], newest), "response_format")
    for (const said of [
      "'response_format.type' must be 'json_schema' or 'text'",
      "Failed to generate JSON. json_validate_failed"
    ]) {
      assert.isNull(simplerDialect(newest, 400, said, true))
      const simpler = simplerDialect(newest, 400, said, true, true)?.dialect ?? newest
      assert.notProperty(body(simpler), "response_format")
      assert.isNull(simplerDialect(simpler, 400, said, true, true))
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
    const second = simplerDialect(newest, 400, said, true, false, true)?.dialect ?? newest
    assert.deepStrictEqual(format(strict, second), { type: "json_object" })
    assert.isUndefined(format({ type: "array" }, second))
    const third = simplerDialect(second, 400, said, true, false, true)?.dialect ?? newest
    assert.isUndefined(format(strict, third))
    assert.isNull(simplerDialect(third, 400, said, true, false, true))
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
    for (
      let next = simplerDialect(dialect, 400, said, true);
      next !== null && times < 10;
      next = simplerDialect(dialect, 400, said, true)
    ) {
      dialect = next.dialect
      times++
    }
    assert.strictEqual(times, 3)
    assert.isNull(simplerDialect(newest, 400, "unknown max_completion_tokens", false))
  })
})

describe("the messages of a request", () => {
  const roles = (turns: ReadonlyArray<Turn>, system: string | null = null) =>
    messagesOf(turns, system, "P").messages.map(({ role }) => role)

  it("the system prompt, the turns in order, the prompt", () => {
    const turns = [turn("user", "a"), turn("assistant", "b"), turn("user", "c")]
    assert.deepStrictEqual(messagesOf(turns, "SYS", "P"), {
      messages: [
        { role: "system", content: "SYS" },
        { role: "user", content: "a" },
        { role: "assistant", content: "b" },
        { role: "user", content: "c" },
        { role: "user", content: "P" }
      ],
      leftOut: []
    })
  })
  it("with one turn there are three", () =>
    assert.deepStrictEqual(roles([turn("user", "a")], "SYS"), ["system", "user", "user"]))
  it("a stored system prompt is not sent twice", () => {
    assert.deepStrictEqual(messagesOf([turn("system", "SYS"), turn("user", "a")], "SYS", "P").messages[0], {
      role: "system",
      content: "SYS"
    })
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
