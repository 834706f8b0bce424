import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type FailureReport,
  withResetTime,
  providerProblemOf,
  waitIn
} from "../../../../src/domain/cli/headless/ProviderProblem.ts"

describe("what a provider complains of", () => {
  it.each<[string, FailureReport, string, string?, (number | null)?]>([
    ["by its status", { message: "no", status: 403 }, "auth"],
    ["by its code", { message: "no", code: "authentication_failed" }, "auth"],
    ["no key at all", { message: "Error: No authentication information found." }, "auth"],
    ["money", { message: "Your credit balance is too low" }, "quota"],
    ["a plan's limit", { message: "You've hit your session limit · resets 3pm" }, "quota"],
    ["a status of the server", { message: "API Error: 529 overloaded" }, "overloaded"],
    ["a model that is not there", { message: "The model `x` does not exist" }, "model"],
    ["a full window", { message: "Codex ran out of room in the model's context window." }, "context"],
    ["a session that is not there", { message: "No conversation found with session ID: 0" }, "session"],
    ["the same in other words", { message: "thread/resume failed: no rollout found for thread id 0" }, "session"],
    [
      "an API's answer with its status",
      { message: '[API Error: {"error":{"code":401,"message":"not this way","status":"X"}}]' },
      "auth",
      "not this way"
    ],
    [
      "an API's answer alone",
      { message: '{"type":"rate_limit_exceeded","message":"Rate limit"}' },
      "rate_limited",
      "Rate limit"
    ],
    ["anything else", { message: "it broke" }, "other", "it broke", null]
  ])("%s", (_, complaint, kind, message, retryAfter) => {
    const problem = providerProblemOf(complaint)
    assert.strictEqual(problem.kind, kind)
    if (message !== undefined) assert.strictEqual(problem.message, message)
    if (retryAfter !== undefined) assert.strictEqual(problem.retryAfter, retryAfter)
  })
  it.each([
    ["retry after 2s", 2_000],
    ["try again later", null],
    ["", null],
    ["resets 3pm", null],
    ["resets at 2026-11-21T18:00:00Z", null],
    ["wait 5", null]
  ])("to wait: %s", (text, ms) => assert.strictEqual(waitIn(text), ms))
  // told at 13:30 in Zurich, which is 12:30 UTC
  const at = Date.UTC(2026, 10, 21, 12, 30)
  const hours = 3_600_000
  it.each<[string, FailureReport, number | null, (number | null)?]>([
    ["a time of day", { message: "You've hit your session limit · resets 3pm" }, 1.5 * hours, null],
    ["a time of day of tomorrow", { message: "5-hour limit reached ∙ resets 9am" }, 19.5 * hours, null],
    ["a time with its zone", { message: "You've hit your limit · resets 3pm (UTC)" }, 2.5 * hours],
    [
      "a date and a time",
      { message: "You've hit your usage limit. Try again at Nov 22nd, 2026 1:30 PM." },
      24 * hours,
      null
    ],
    ["a header goes before the text", { message: "rate limit, resets 3pm", retryAfter: 7_000 }, 7_000, 7_000],
    ["no time", { message: "Rate limit reached. Try again later." }, null, null],
    ["an hour that may be one of two", { message: "limit reached, resets at 3", status: 429 }, null, null],
    ["a time that is past", { message: "rate limit, resets at 2026-11-20T00:00:00Z" }, null, null],
    ["a time too far off", { message: "rate limit, resets at 2028-01-01T00:00:00Z" }, null, null],
    ["two times that differ", { message: "5-hour limit resets 3pm; weekly limit resets 9pm" }, null, null],
    [
      "what is no limit",
      { message: "the key is not accepted; it was valid until 2026-11-22T00:00:00Z", status: 401 },
      null,
      null
    ]
  ])("ends when it says: %s", (_, complaint, here, anywhere = here) => {
    const problem = providerProblemOf(complaint)
    assert.strictEqual(withResetTime(problem, at, "Europe/Zurich").retryAfter, here)
    assert.strictEqual(withResetTime(problem, at, null).retryAfter, anywhere)
  })
  it.prop(
    "is named whatever it says",
    { message: Schema.String, status: Schema.NullOr(Schema.Int) },
    ({ message, status }) => {
      assert.isString(providerProblemOf({ message, status }).kind)
      assert.strictEqual(providerProblemOf({ message: `{${message}` }).retryAfter, waitIn(`{${message}`))
    }
  )
})
