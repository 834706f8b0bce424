import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { ProviderProblemKind } from "../../../../../src/domain/cli/headless/AgentEvent.ts"
import {
  responseFailure,
  retryAfterOf,
  streamFailure,
  transportFault
} from "../../../../../src/domain/cli/headless/http/HttpFailure.ts"

const now = Date.parse("2026-11-21T12:00:00Z")
const key = "my-very-own-key-77"
const problem = (status: number, body: unknown = "", headers: Record<string, string> = {}) =>
  responseFailure({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body), now }, [key])

describe("a response that is no answer", () => {
  it.each<readonly [string, number, unknown, ProviderProblemKind, boolean, string]>([
    [
      "a wrong key",
      401,
      { error: { message: "Incorrect API key provided" } },
      "auth",
      false,
      "authentication failed (HTTP 401): Incorrect API key provided"
    ],
    ["too many requests", 429, "", "rate_limited", true, "rate limited (HTTP 429)"],
    ["a server's error", 500, "", "overloaded", true, "server error (HTTP 500)"],
    ["unavailable", 503, { detail: "starting" }, "overloaded", true, "server error (HTTP 503): starting"],
    ["forbidden", 403, "", "auth", false, "authentication failed (HTTP 403)"],
    [
      "no such model",
      404,
      { error: { message: "The model `x` does not exist", code: "model_not_found" } },
      "model",
      false,
      "bad request (HTTP 404): The model `x` does not exist"
    ],
    ["not found, without a word", 404, "", "model", false, "bad request (HTTP 404); is the base URL right?"],
    ["an unexpected status", 418, "", "other", false, "unexpected status (HTTP 418)"],
    ["payment", 402, "", "quota", false, "bad request (HTTP 402)"],
    ["time-out", 408, "", "overloaded", true, "bad request (HTTP 408)"],
    ["conflict", 409, "", "other", true, "bad request (HTTP 409)"],
    ["too early", 425, "", "other", true, "bad request (HTTP 425)"],
    ["too large", 413, "", "context", false, "bad request (HTTP 413)"],
    [
      "quota",
      429,
      { error: { message: "You exceeded your current quota", code: "insufficient_quota" } },
      "quota",
      false,
      "rate limited (HTTP 429): You exceeded your current quota"
    ],
    [
      "filtered",
      400,
      { error: { message: "flagged", code: "content_filter" } },
      "refused",
      false,
      "bad request (HTTP 400): flagged"
    ],
    [
      "moderated",
      403,
      { error: { message: "blocked by our content policy" } },
      "refused",
      false,
      "authentication failed (HTTP 403): blocked by our content policy"
    ],
    [
      "validation",
      422,
      { detail: [{ msg: "field required" }, { msg: "too big" }] },
      "other",
      false,
      "bad request (HTTP 422): field required; too big"
    ],
    ["an error that is a text", 400, { error: "no" }, "other", false, "bad request (HTTP 400): no"],
    ["not built", 501, "", "overloaded", false, "server error (HTTP 501)"],
    ["overloaded", 529, "", "overloaded", true, "server error (HTTP 529)"],
    ["control characters", 400, "a\u001b[31m\u0000b\nc", "other", false, "bad request (HTTP 400): a [31m b c"]
  ])("%s: %i", (_, status, body, kind, retriable, message) => {
    const told = problem(status, body)
    assert.deepStrictEqual([told.problem.kind, told.retriable, told.problem.message], [kind, retriable, message])
  })

  it.each<readonly [string, number, string, boolean]>([
    ["llama.cpp", 503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', true],
    ["Hugging Face", 503, '{"error":"Model a/b is currently loading","estimated_time":20.0}', true],
    ["Ollama", 503, '{"error":"llm server loading model"}', true],
    ["a proxy", 502, "the model is not ready", true],
    ["another proxy", 503, '{"detail":"upstream is starting"}', true],
    ["text-generation-inference", 503, "Model is warming up", true],
    ["overload", 503, '{"error":{"message":"The model is overloaded"}}', false],
    ["nothing", 503, "", false],
    ["a wrong request", 400, '{"error":{"message":"model is not loaded"}}', false]
  ])("a server that comes up is known: %s", (_, status, body, loading) =>
    assert.strictEqual(problem(status, body).loading, loading)
  )

  it.each<readonly [number, string, boolean, unknown]>([
    [503, "false", false, ""],
    [429, "False", false, ""],
    [400, "true", true, ""],
    [503, "true", true, ""],
    [503, "perhaps", true, ""],
    [400, "perhaps", false, ""],
    [429, "true", false, { error: { message: "no", code: "insufficient_quota" } }]
  ])("%i with x-should-retry: %s is tried again: %s", (status, word, retriable, body) =>
    assert.strictEqual(problem(status, body, { "x-should-retry": word }).retriable, retriable)
  )

  it("what the body says of the time to wait is kept (Google)", () => {
    const body = { error: { code: 429, message: "no", details: [{ "@type": "x" }, { retryDelay: "34.5s" }] } }
    assert.strictEqual(problem(429, body).problem.retryAfter, 34_500)
    assert.strictEqual(problem(429, [body]).problem.retryAfter, 34_500)
    assert.strictEqual(problem(429, body, { "retry-after": "7" }).problem.retryAfter, 7_000)
  })

  it("the time to wait is told and kept", () => {
    for (const after of [60, 120]) {
      const { problem: told } = problem(429, "", { "retry-after": `${after}` })
      assert.strictEqual(told.message, `rate limited, retry after ${after} s (HTTP 429)`)
      assert.strictEqual(told.retryAfter, after * 1_000)
    }
  })

  it("neither the key nor what looks like one is in the text, however the server quotes it", () => {
    for (const status of [400, 401, 429, 500]) {
      for (const body of [
        `bad key ${key}`,
        `Authorization: Bearer ${key}`,
        JSON.stringify({ error: { message: `no ${key}`, code: key, type: key } }),
        "token sk-proj-abcdefghijklmnopqrstuvwx"
      ]) {
        const told = problem(status, body, { location: `https://x/?k=${key}` })
        assert.notInclude(JSON.stringify(told), key)
        assert.notInclude(JSON.stringify(told), "abcdefghijklmnopqrst")
        assert.notMatch(told.problem.message, /Bearer (?!\*\*\*)/)
      }
    }
  })

  it("an excerpt is short, and a key at its end is not cut in two", () => {
    const told = problem(400, `${"x".repeat(295)}${key}${"y".repeat(1_000)}`)
    assert.isBelow(told.problem.message.length, 340)
    assert.notInclude(told.problem.message, "my-v")
  })

  it.prop(
    "anything can be read",
    {
      status: Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 })),
      body: Schema.Union([Schema.String, Schema.Json]),
      after: Schema.String,
      location: Schema.String
    },
    ({ after, body, location, status }) => {
      const told = problem(status, body, { "retry-after": after, location })
      assert.isTrue(told.problem.retryAfter === null || told.problem.retryAfter >= 0)
      assert.isBelow(told.problem.message.length, 5_000)
      assert.isString(streamFailure(body, now, [key]).problem.message)
    }
  )
})

describe("how long to wait", () => {
  it.each<readonly [string, Record<string, string>, number | null]>([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["a part of a second", { "retry-after": "0.5" }, 500],
    ["a date", { "retry-after": "Sat, 21 Nov 2026 12:00:09 GMT" }, 9_000],
    ["a date gone by", { "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }, 0],
    ["milliseconds, which are exacter", { "retry-after-ms": "1234", "retry-after": "2" }, 1_234],
    ["milliseconds by Azure's name", { "x-ms-retry-after-ms": "1500" }, 1_500],
    ["a duration", { "retry-after": "1m30s" }, 90_000],
    ["an ISO date", { "retry-after": "2026-11-21T12:00:05Z" }, 5_000],
    ["nothing", {}, null],
    ["nonsense", { "retry-after": "soon" }, null],
    ["a negative number", { "retry-after": "-5" }, null],
    [
      "requests that are spent",
      {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "6m0s",
        "x-ratelimit-remaining-tokens": "10",
        "x-ratelimit-reset-tokens": "1h"
      },
      360_000
    ],
    [
      "both spent",
      {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "20ms",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "1.5s"
      },
      1_500
    ],
    ["nothing spent", { "x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "6m0s" }, null],
    ["a moment in milliseconds", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${now + 3_000}` }, 3_000],
    ["a moment in seconds", { "ratelimit-remaining": "0", "ratelimit-reset": `${now / 1_000 + 4}` }, 4_000],
    ["not for ever", { "retry-after": "999999999" }, 30 * 86_400_000]
  ])("%s", (_, headers, wait) => assert.strictEqual(retryAfterOf(headers, now), wait))
})

describe("an error in the middle of an answer", () => {
  it.each<readonly [string, unknown, ProviderProblemKind, boolean, string]>([
    ["with a name", { message: "busy", type: "overloaded_error" }, "overloaded", true, "busy"],
    ["of the server", { message: "oops", type: "server_error" }, "overloaded", true, "oops"],
    [
      "of limits",
      { message: "Rate limit reached", code: "rate_limit_exceeded" },
      "rate_limited",
      true,
      "Rate limit reached"
    ],
    ["of us", { message: "bad tool", type: "invalid_request_error" }, "other", false, "bad tool"],
    ["as a text", "nope", "other", false, "nope"],
    ["as nothing", {}, "other", false, "{}"]
  ])("%s", (_, error, kind, retriable, message) => {
    const told = streamFailure(error, now, [key])
    assert.deepStrictEqual([told.problem.kind, told.retriable, told.problem.message], [kind, retriable, message])
  })
})

describe("a connection that failed", () => {
  it.each<readonly [string, unknown, string, boolean]>([
    ["refused", { code: "ECONNREFUSED" }, "the connection was refused; does the server run?", true],
    [
      "refused by all addresses",
      { errors: [{ code: "ECONNREFUSED" }], message: "" },
      "the connection was refused; does the server run?",
      true
    ],
    ["an unknown name", { code: "ENOTFOUND" }, "there is no server of that name", false],
    [
      "a certificate",
      { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "self-signed certificate" },
      "self-signed certificate",
      false
    ],
    ["something with the key in it", new Error(`Invalid header ${key}`), "Invalid header ***", false],
    ["a name of an object", { code: "constructor", message: "x" }, "x", false]
  ])("%s", (_, cause, why, retriable) => assert.deepStrictEqual(transportFault(cause, [key]), { why, retriable }))
})
