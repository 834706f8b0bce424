import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Complaint, problemFrom, waitIn } from "../../../src/domain/agents/Problem.ts"

describe("what a provider complains of", () => {
  it.each<[string, Complaint, string, string?, (number | null)?]>([
    ["a key that is not accepted", { message: "unexpected status 401 Unauthorized: Incorrect API key provided" }, "auth"],
    ["by its status", { message: "no", status: 403 }, "auth"],
    ["by its code", { message: "no", code: "authentication_failed" }, "auth"],
    ["no key at all", { message: "Error: No authentication information found." }, "auth"],
    ["too many requests", { message: "Rate limit reached for requests. Please try again in 20s." }, "rate_limited", "Rate limit reached for requests. Please try again in 20s.", 20_000],
    ["too many requests, with a header", { message: "slow down", status: 429, retryAfter: 7_000 }, "rate_limited", "slow down", 7_000],
    ["money", { message: "Your credit balance is too low" }, "quota"],
    ["a plan's limit", { message: "You've hit your session limit · resets 3pm" }, "quota"],
    ["too much at once", { message: "We’re currently experiencing high demand, which may cause temporary errors." }, "overloaded"],
    ["a status of the server", { message: "API Error: 529 overloaded" }, "overloaded"],
    ["a model that is not there", { message: "The model `x` does not exist" }, "model"],
    ["a full window", { message: "Codex ran out of room in the model's context window." }, "context"],
    ["a session that is not there", { message: "No conversation found with session ID: 0" }, "session"],
    ["the same in other words", { message: "thread/resume failed: no rollout found for thread id 0" }, "session"],
    ["an API's answer in a sentence", { message: "[API Error: {\"error\":{\"code\":400,\"message\":\"Request contains an invalid argument.\",\"status\":\"INVALID_ARGUMENT\"}}]" }, "other", "Request contains an invalid argument."],
    ["an API's answer with its status", { message: "[API Error: {\"error\":{\"code\":401,\"message\":\"not this way\",\"status\":\"X\"}}]" }, "auth", "not this way"],
    ["an API's answer alone", { message: "{\"type\":\"rate_limit_exceeded\",\"message\":\"Rate limit\"}" }, "rate_limited", "Rate limit"],
    ["anything else", { message: "it broke" }, "other", "it broke", null]
  ])("%s", (_, complaint, kind, message, retryAfter) => {
    const problem = problemFrom(complaint)
    assert.strictEqual(problem.kind, kind)
    if (message !== undefined) assert.strictEqual(problem.message, message)
    if (retryAfter !== undefined) assert.strictEqual(problem.retryAfter, retryAfter)
  })
  it.each([["retry after 2s", 2_000], ["Retry-After: 30", 30_000], ["try again in 1.5 minutes", 90_000], ["Retrying in 250 ms", 250], ["try again later", null], ["", null]])(
    "to wait: %s", (text, ms) => assert.strictEqual(waitIn(text), ms)
  )
  it.prop("is named whatever it says", { message: Schema.String, status: Schema.NullOr(Schema.Int) }, ({ message, status }) => {
    assert.isString(problemFrom({ message, status }).kind)
    assert.strictEqual(problemFrom({ message: `{${message}` }).retryAfter, waitIn(`{${message}`))
  })
})
