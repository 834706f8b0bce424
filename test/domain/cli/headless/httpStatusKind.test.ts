import { assert, describe, it } from "@effect/vitest"
import type { ProviderProblemKind } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { responseFailure } from "../../../../src/domain/cli/headless/http/HttpFailure.ts"
import { providerProblemOf } from "../../../../src/domain/cli/headless/ProviderProblem.ts"

const statuses = Array.from({ length: 200 }, (_, i) => 400 + i)

/** Statuses that mean something else than their class; all other 4xx are the request's own fault. */
const special: Readonly<Record<number, ProviderProblemKind>> = {
  401: "auth",
  402: "quota",
  403: "auth",
  404: "model",
  407: "auth",
  408: "overloaded",
  410: "model",
  413: "context",
  429: "rate_limited",
  451: "refused"
}
/** These may be answered a little later; so may all 5xx but the one of what a server does not have. */
const passing = [408, 409, 425, 429]

const ofServer = (status: number, body: unknown) => {
  const { problem, retriable } = responseFailure({ status, headers: {}, body: JSON.stringify(body), now: 0 }, [])
  return { kind: problem.kind, retriable }
}
const ofCli = (status: number, message: string) => providerProblemOf({ message, status }).kind
const inText = (status: number, error: unknown) =>
  providerProblemOf({ message: `API Error: ${status} ${JSON.stringify({ type: "error", error })}` }).kind

describe("an HTTP status of a headless turn", () => {
  it.each(statuses)("%i, with a text that says nothing", (status) => {
    const kind = special[status] ?? (status < 500 ? "other" : "overloaded")
    const retriable = status < 500 ? passing.includes(status) : status !== 501
    assert.deepStrictEqual(ofServer(status, { error: { message: "no" } }), { kind, retriable })
    assert.deepStrictEqual(ofServer(status, ""), { kind, retriable })
    assert.strictEqual(ofCli(status, "no"), kind)
    assert.strictEqual(inText(status, { message: "no" }), kind)
  })

  it.each(statuses)("%i, with the words of a server in trouble", (status) => {
    // the request's own fault stays that, whatever words a server has for it
    const kind = special[status] ?? (status < 500 && !passing.includes(status) ? "other" : "overloaded")
    for (const error of [
      { type: "api_error", message: "Internal server error" },
      { type: "overloaded_error", message: "Overloaded" },
      { message: "the model is at capacity" }
    ]) {
      assert.strictEqual(ofServer(status, { error }).kind, kind, error.message)
      assert.strictEqual(inText(status, error), kind, error.message)
      assert.strictEqual(ofCli(status, error.message), kind, error.message)
    }
  })

  it.each<readonly [number, string, ProviderProblemKind]>([
    [400, "You have reached your specified API usage limits", "quota"],
    [400, "prompt is too long: 210000 tokens > 200000 maximum", "context"],
    [400, "API key not valid", "auth"],
    [400, "blocked by our content policy", "refused"],
    [422, "The model `x` does not exist", "model"],
    [403, "insufficient credits", "quota"],
    [429, "You exceeded your current quota", "quota"],
    [500, "prompt is too long", "context"]
  ])("%i with a text that says more: %s", (status, message, kind) => {
    assert.strictEqual(ofServer(status, { error: { message } }).kind, kind)
    assert.strictEqual(ofCli(status, message), kind)
    assert.strictEqual(inText(status, { message }), kind)
  })

  it("403 with a text about the model is the model's", () => {
    const message = "no access to the model x: model not found"
    assert.strictEqual(ofServer(403, { error: { message } }).kind, "model")
    assert.strictEqual(ofCli(403, message), "model")
  })
})
