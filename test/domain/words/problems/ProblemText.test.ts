import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { dated, problemOf } from "../../../../src/domain/words/problems/ProblemText.ts"
import { Problem, type ProblemKind } from "../../../../src/domain/words/session/Session.ts"

type Kind = typeof ProblemKind.Type

describe("the problem that an error's text names", () => {
  it.each<readonly [Kind, string]>([
    ["rate_limited", "rate_limit"],
    ["rate_limited", "Rate limit reached for requests"],
    ["rate_limited", "5-hour limit reached"],
    ["rate_limited", "API Error: 429 {}"],
    ["auth", "Invalid API key"],
    ["auth", "You are not logged in"],
    ["auth", "Please sign in first"],
    ["auth", "unexpected status 403: no"],
    ["overloaded", "The service is temporarily unavailable"],
    ["overloaded", "Selected model is at capacity. Please try a different model."],
    ["model", "unknown model"],
    ["network", "The model is not available: connect ECONNREFUSED 127.0.0.1:443"],
    ["network", "Please run /login: getaddrinfo EAI_AGAIN api.vendor.example"],
    ["unknown", "The AI model stopped; the file was not found"],
    ["context", "context limit reached"],
    ["refused", "Opus 5.5's safeguards flagged this message"],
    ["refused", "Image was too large. Double press esc to go back and try again with a smaller image."],
    ["refused", "Your request was rejected as a result of our safety system."],
    ["network", "self-signed certificate in certificate chain"],
    ["network", "API returned an empty or malformed response (HTTP 200)"],
    ["overloaded", "status code 408"],
    ["overloaded", "Gateway Timeout"],
    ["context", "Please ensure that function call turn comes immediately after a user turn."],
    ["unknown", "maximum tokens exceeded"],
    ["unknown", "line 429 of app.js"],
    ["unknown", "the file has 500 rows and 404 columns"],
    ["unknown", "Tool failed: exit code 1"],
    ["unknown", "request aborted"],
    ["unknown", "error sending the file to http://500.example"],
    ["unknown", "API Error: 422 Unprocessable entity"],
    ["unknown", ""]
  ])("%s: %s", (kind, text) => {
    assert.strictEqual(problemOf(text).kind, kind)
  })

  it("is looked for in every text, and told by the last", () => {
    assert.deepStrictEqual(problemOf("rate_limit", "Come back later"), {
      kind: "rate_limited",
      message: "Come back later",
      until: null
    })
    assert.deepStrictEqual(problemOf("unknown", "401 no"), { kind: "auth", message: "401 no", until: null })
  })

  it.each<readonly [Kind, string, ReadonlyArray<string>]>([
    ["auth", "the reason in its details", ['{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}']],
    [
      "model",
      "a reply within a reply",
      ['{"error":{"message":"{\\"error\\":{\\"code\\":404,\\"message\\":\\"no\\"}}"}}']
    ],
    ["context", "a reason before the status", ["status 400", "prompt is too long"]],
    ["overloaded", "a server's status before what its page says", ["status 502", "sign in to the gateway"]],
    ["auth", "an account without money, whatever it is called", ["rate_limit_error", "Your credit balance is too low"]]
  ])("%s: %s", (kind, _, [first = "", ...rest]) => {
    assert.strictEqual(problemOf(first, ...rest).kind, kind)
  })

  it.prop(
    "is a value of its schema, for any texts",
    { first: Schema.String, rest: Schema.Array(Schema.String) },
    ({ first, rest }) => {
      const problem = problemOf(first, ...rest)
      assert.isTrue(Schema.is(Problem)(problem))
    }
  )
})

describe("a problem's end", () => {
  const at = Date.parse("2026-11-21T12:00:00Z")
  const problem = (kind: typeof ProblemKind.Type, message: string, until: string | null = null): Problem => ({
    kind,
    message,
    until
  })

  it("is read off its text, in the CLI's own zone, as exactly as it is told", () => {
    const told = (...[kind, message]: Parameters<typeof problem>) => dated(problem(kind, message), at, "Europe/Zurich")
    assert.deepStrictEqual(told("rate_limited", "resets 3pm"), {
      ...problem("rate_limited", "resets 3pm", "2026-11-21T14:00:00.000Z"),
      within: 3_600_000
    })
    assert.deepStrictEqual(told("rate_limited", "resets 3:07pm"), {
      ...problem("rate_limited", "resets 3:07pm", "2026-11-21T14:07:00.000Z"),
      within: 60_000
    })
    assert.deepStrictEqual(told("overloaded", "try again in 30s"), {
      ...problem("overloaded", "try again in 30s", "2026-11-21T12:00:30.000Z"),
      within: 1_000
    })
    assert.deepStrictEqual(
      told("overloaded", "retry_after_ms: 1500"),
      problem("overloaded", "retry_after_ms: 1500", "2026-11-21T12:00:01.500Z"),
      "exactly"
    )
  })

  it("stays as it was told, or unknown", () => {
    assert.strictEqual(
      dated(problem("rate_limited", "resets 3pm", "2026-11-21T13:00:00.000Z"), at, "UTC").until,
      "2026-11-21T13:00:00.000Z"
    )
    const unknown = problem("rate_limited", "come back later")
    assert.strictEqual(dated(unknown, at, "UTC"), unknown)
    assert.isNull(
      dated(problem("auth", "log in, then try again in 30s"), at, "UTC").until,
      "a login does not come by itself"
    )
  })
})
