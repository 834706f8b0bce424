import { assert, describe, it } from "@effect/vitest"
import { geminiHeadless } from "../../../../src/domain/providers/gemini/Headless.ts"
import { aCall, headlessRuns, shapeOf } from "../../../support/headless/headless.ts"

const heard = (...lines: ReadonlyArray<string>) => {
  let state = geminiHeadless.start(aCall())
  return lines.flatMap((line) => {
    const [next, events] = geminiHeadless.readError?.(state, line) ?? [state, []]
    state = next
    return events
  })
}

describe("what Gemini CLI says on standard error of requests that it makes again", () => {
  const limit = '{"error":{"code":429,"message":"Slow down. Please try again in 2s.","status":"RESOURCE_EXHAUSTED"}}'
  it.each<[string, string, number, number | null, string, string, (number | null)?]>([
    [
      "a status and the answer",
      `Attempt 1 failed with status 429. Retrying with backoff... _ApiError: ${limit}`,
      1,
      null,
      "rate_limited",
      "Slow down. Please try again in 2s.",
      2_000
    ],
    [
      "a limit without a header",
      "Attempt 2 failed with 429 error (no Retry-After header). Retrying with backoff... Error: x",
      2,
      null,
      "rate_limited",
      "Error: x"
    ],
    [
      "any status of the server's",
      "Attempt 1 failed with 5xx error. Retrying with backoff...",
      1,
      null,
      "overloaded",
      "with 5xx error"
    ],
    ["nothing", "Attempt 4 failed. Retrying with backoff...", 4, null, "other", "the request failed"]
  ])("%s", (_, line, attempt, inMs, kind, message, retryAfter = null) => {
    assert.deepStrictEqual(heard(line), [
      { _tag: "Retrying", attempt, of: null, inMs, problem: { kind: kind as "other", message, retryAfter } }
    ])
  })
  it.each([
    "",
    "Attempt x failed",
    "I said: Attempt 1 failed. Retrying with backoff...",
    "    at retryWithBackoff (file:///x)",
    "Attempt 1 failed. Max attempts reached"
  ])("nothing of that: %s", (line) => assert.deepStrictEqual(heard(line), []))
  it("in several lines", () => {
    assert.deepStrictEqual(
      heard(
        "Attempt 1 failed: one.",
        "two.",
        "Attempt 2 failed: three",
        "four. Max attempts reached",
        "Retrying after 1ms..."
      ),
      []
    )
    assert.deepStrictEqual(heard("Attempt 1 failed: one.", "  two.. Retrying after 7ms..."), [
      {
        _tag: "Retrying",
        attempt: 1,
        of: null,
        inMs: 7,
        problem: { kind: "other", message: "one. two.", retryAfter: null }
      }
    ])
    assert.deepStrictEqual(heard("Attempt 1 failed: one", "x".repeat(3_000), "Retrying after 7ms..."), [])
  })
  it("as it was recorded", () => {
    const retried = headlessRuns("gemini").filter(({ name }) => name.startsWith("retry-"))
    assert.deepStrictEqual(
      retried.map(({ name, stderr }) => [name, shapeOf(heard(...stderr.split("\n")))]),
      [
        ["retry-500", "retry 1 of ?: overloaded"],
        ["retry-429", "retry 1 of ?: rate_limited"]
      ]
    )
  })
})

it("is told of an answer that Gemini CLI cut off for a loop, which it reports as a success", () => {
  const read = (lines: ReadonlyArray<object>) => {
    const last = lines.reduce<ReturnType<typeof geminiHeadless.start>>(
      (state, line) => geminiHeadless.read(state, line)[0],
      geminiHeadless.start(aCall())
    )
    return geminiHeadless.end(last, { code: 0, signal: null, stderr: "", report: null })
  }
  const says = { type: "message", role: "assistant", content: "the same the same", delta: true }
  const success = { type: "result", status: "success", stats: {} }
  const loop = { type: "error", severity: "warning", message: "Loop detected, stopping execution" }
  assert.strictEqual(read([says, loop, success]).stopReason, "loop")
  assert.strictEqual(read([says, { ...loop, message: "Something else" }, success]).stopReason, "end_turn")
})
