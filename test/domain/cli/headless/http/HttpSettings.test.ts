import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { httpSettings, redirected, shownUrl } from "../../../../../src/domain/cli/headless/http/HttpSettings.ts"

const base = { baseUrl: "http://h/v1", model: "m" }
const read = (options: unknown, env: Record<string, string> = {}, model: string | null = null) =>
  Result.getOrThrow(httpSettings(options, env, model))
const problem = (options: unknown, env: Record<string, string> = {}) =>
  Result.match(httpSettings(options, env, null), {
    onSuccess: () => "none",
    onFailure: ({ option, why }) => `${option} ${why}`
  })

describe("how a request is to be made", () => {
  it.each<readonly [string, unknown, string]>([
    ["nothing", {}, "baseUrl is required: give it, or set OPENAI_BASE_URL"],
    ["an empty base URL", { ...base, baseUrl: " " }, "baseUrl is required: give it, or set OPENAI_BASE_URL"],
    ["no model", { baseUrl: "http://h" }, "model is required: give it, or set OPENAI_MODEL"],
    ["temperature below", { ...base, temperature: -0.5 }, "temperature must be between 0 and 2, got -0.5"],
    ["temperature above", { ...base, temperature: 2.5 }, "temperature must be between 0 and 2, got 2.5"],
    ["temperature, whole", { ...base, temperature: 3 }, "temperature must be between 0 and 2, got 3"],
    ["temperature as text", { ...base, temperature: "hot" }, "temperature must be a number, got a string"],
    ["top_p above", { ...base, topP: 5 }, "topP must be between 0 and 1, got 5"],
    ["top_p below", { ...base, topP: -0.1 }, "topP must be between 0 and 1, got -0.1"],
    ["top_p as text", { ...base, topP: "high" }, "topP must be a number, got a string"],
    ["tokens below", { ...base, maxTokens: -1 }, "maxTokens must be non-negative, got -1"],
    ["tokens in parts", { ...base, maxTokens: 1.5 }, "maxTokens must be a whole number, got 1.5"],
    ["not a number", { ...base, temperature: NaN }, "temperature must be a number, got a number"],
    ["a model that is none", { ...base, model: 7 }, "model must be a text, got a number"],
    [
      "no address",
      { ...base, baseUrl: "ftp://h" },
      "baseUrl is no http or https address, such as https://api.example.com/v1"
    ],
    ...["unix:/run/llm.sock", "http+unix://%2Frun%2Fllm.sock/v1", "UNIX:///x"].map(
      (baseUrl) =>
        [
          baseUrl,
          { ...base, baseUrl },
          "baseUrl is a Unix socket, but leap connects over TCP only: let the server listen on 127.0.0.1"
        ] as const
    ),
    [
      "a password in the address",
      { ...base, baseUrl: "http://u:secretpassword@h" },
      "baseUrl has a name or a password in it: give the key as apiKey"
    ],
    ["a key in two lines", { ...base, apiKey: "a\nb" }, "apiKey contains a character that is not allowed in a key"],
    [
      "a header that splits",
      { ...base, headers: { "x-a": "1\r\nx-b: 2" } },
      "headers the value of x-a contains a character that a header may not have"
    ],
    ["a header with no name", { ...base, headers: { "x a": "1" } }, "headers 'x a' is no name of a header"],
    [
      "a header of the connection",
      { ...base, headers: { "Content-Length": "1" } },
      "headers must not contain Content-Length: only the HTTP client may set it"
    ],
    ["headers in a list", { ...base, headers: [] }, "headers must be names and values, got a list"],
    ["an unknown format", { ...base, outputFormat: "xml" }, "outputFormat must be text or json, got 'xml'"],
    ["no time at all", { ...base, timeout: 0 }, "timeout must be greater than 0, got 0"],
    ["what other providers know, and unknown keys", { ...base, cwd: "/x", maxTurns: 3, foo: 1 }, "none"]
  ])("%s", (_, options, expected) => assert.strictEqual(problem(options), expected))

  it.each<readonly [string, string]>([
    ["http://h/v1", "http://h/v1/chat/completions"],
    ["http://h/v1/", "http://h/v1/chat/completions"],
    ["https://h/v1///", "https://h/v1/chat/completions"],
    ["https://h", "https://h/chat/completions"],
    ["https://h/v1/chat/completions/", "https://h/v1/chat/completions"],
    ["https://h/v1?api-version=7", "https://h/v1/chat/completions?api-version=7"]
  ])("%s", (baseUrl, url) => assert.strictEqual(read({ ...base, baseUrl }).url, url))

  it("the environment stands in where the options are silent, empty ones count as unset", () => {
    const env = { OPENAI_BASE_URL: "http://e/v1", OPENAI_MODEL: "e", OPENAI_API_KEY: " env-key-12345 \n" }
    const settings = read({}, env)
    assert.include(settings, { url: "http://e/v1/chat/completions", model: "e" })
    assert.strictEqual(settings.headers["authorization"], "Bearer env-key-12345")
    assert.strictEqual(read({}, env, "c").model, "c")
    assert.strictEqual(read({ env: { OPENAI_MODEL: "own" } }, env).model, "own")
    assert.isUndefined(read({ apiKey: "" }, env).headers["authorization"])
  })

  it("numbers go into the request", () => {
    assert.deepStrictEqual(read({ ...base, temperature: 1, topP: 0 }).fields, { temperature: 1, top_p: 0 })
    const settings = read({ ...base, temperature: 1.5, maxTokens: 100, topP: 0.9, effort: "low" })
    assert.deepStrictEqual(settings.fields, { temperature: 1.5, top_p: 0.9, reasoning_effort: "low" })
    assert.strictEqual(settings.maxTokens, 100)
    assert.isNull(read(base).maxTokens)
  })

  it("headers are added; what is secret in them and in the address is known", () => {
    const settings = read({
      baseUrl: "http://h/v1?key=query-secret-1",
      model: "m",
      apiKey: "own-key-1234567",
      headers: { "X-Title": "leap", "api-key": "azure-secret-1", Authorization: "Token custom-secret-1" }
    })
    assert.include(settings.headers, {
      "x-title": "leap",
      "api-key": "azure-secret-1",
      authorization: "Token custom-secret-1"
    })
    assert.deepStrictEqual(settings.secrets.values, [
      "own-key-1234567",
      "azure-secret-1",
      "Token custom-secret-1",
      "custom-secret-1",
      "query-secret-1"
    ])
    assert.strictEqual(shownUrl(settings.url), "http://h/v1/chat/completions")
    assert.deepStrictEqual(read({ ...base, cwd: "/x", skipPermissions: true }).ignoredGrants, ["skipPermissions"])
  })

  it.prop(
    "anything can be asked for",
    { options: Schema.Json, env: Schema.Record(Schema.String, Schema.String) },
    ({ env, options }) => {
      assert.isBoolean(Result.isSuccess(httpSettings(options, env, null)))
      assert.isBoolean(Result.isSuccess(httpSettings({ ...base, headers: options, apiKey: options, env }, env, null)))
    }
  )
})

describe("where a redirect may lead", () => {
  it.each<readonly [number, string | undefined, string | null]>([
    [307, "/b", "http://h/b"],
    [308, "http://h/c?x=1", "http://h/c?x=1"],
    [302, "/b", null],
    [307, "http://other/b", null],
    [307, "https://h/b", null],
    [307, "http://u:p@h/b", null],
    [307, "http://[", null],
    [307, undefined, null]
  ])("%i %s", (status, location, to) => assert.strictEqual(redirected("http://h/a", status, location), to))
})
