import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { delayAfter, retryAfter, deliveryResultOf } from "../../../../src/domain/surfaces/outgoing/deliveryResult.ts"
import { keyOf, signedContent, signedHeaders } from "../../../../src/domain/surfaces/outgoing/signature.ts"
import { slackVerdict } from "../../../../src/domain/surfaces/outgoing/slackVerdict.ts"

const Failures = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))
const Random = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Asked = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e12 })))

describe("the time before another attempt", () => {
  it("grows, up to minutes", () => {
    const delays = [1, 2, 3, 4, 9, 10, 50].map((failures) => delayAfter(failures, null, 0.5))
    assert.deepStrictEqual(delays, [1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000])
  })

  it("is what the receiver asks for, where that is longer, and never a day", () => {
    assert.strictEqual(delayAfter(1, 30_000, 0.5), 30_000)
    assert.strictEqual(delayAfter(10, 1_000, 0.5), 300_000)
    assert.strictEqual(delayAfter(1, 86_400_000, 0.5), 3_600_000)
  })

  it.prop("is always between a moment and an hour", [Failures, Asked, Random], ([failures, asked, random]) => {
    const delay = delayAfter(failures, asked, random)
    assert.isAtLeast(delay, 750)
    assert.isAtMost(delay, 3_600_000)
  })

  it("is read from a header in both of its forms", () => {
    const now = Date.UTC(2026, 0, 1)
    assert.strictEqual(retryAfter("120", now), 120_000)
    assert.strictEqual(retryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now), 60_000)
    assert.strictEqual(retryAfter("Thu, 01 Jan 2015 00:01:00 GMT", now), 0)
    for (const value of [undefined, "", "soon", "-5s"]) assert.isNull(retryAfter(value, now))
  })
})

describe("what a webhook's answer means", () => {
  it.each([
    [200, "Delivered"],
    [204, "Delivered"],
    [302, "Again"],
    [400, "Refused"],
    [401, "Again"],
    [403, "Again"],
    [404, "Again"],
    [408, "Again"],
    [410, "Gone"],
    [413, "Refused"],
    [422, "Refused"],
    [425, "Again"],
    [429, "Again"],
    [500, "Again"],
    [503, "Again"]
  ])("%i: %s", (status, meaning) => assert.strictEqual(deliveryResultOf(status, null)._tag, meaning))

  it("keeps what the receiver asks for", () => {
    assert.deepStrictEqual(deliveryResultOf(429, 5_000), { _tag: "Again", why: "it answered 429", afterMs: 5_000 })
  })
})

describe("what Slack's answer means", () => {
  it.each([
    ["ratelimited", "Again"],
    [null, "Again"],
    ["invalid_auth", "Again"],
    ["channel_not_found", "Again"],
    ["fatal_error", "Again"],
    ["something_new", "Again"],
    ["msg_too_long", "Refused"],
    ["invalid_blocks", "Refused"]
  ])("%s: %s", (code, meaning) => assert.strictEqual(slackVerdict({ code, why: "w", afterMs: 1_000 })._tag, meaning))
})

describe("a webhook's signature", () => {
  it("is of id, time and body", () => {
    assert.strictEqual(signedContent("turn_a_1", 1_700_000_000, "{}"), "turn_a_1.1700000000.{}")
    assert.deepStrictEqual(signedHeaders("turn_a_1", 1_700_000_000, "c2ln"), {
      "webhook-id": "turn_a_1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": "v1,c2ln"
    })
  })

  it("has a key of some length, as base64 or as it is", () => {
    assert.deepStrictEqual(keyOf("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), {
      encoding: "base64",
      text: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    })
    assert.deepStrictEqual(keyOf("correct-horse-battery"), { encoding: "ascii", text: "correct-horse-battery" })
  })

  it.each([
    "",
    "short",
    "whsec_c2hvcnQ=",
    "whsec_!!!!!!!!!!!!!!!!!!!!!!!!",
    "what is no secret",
    "whsec_",
    "é".repeat(40)
  ])("is not made with %j, and nothing of that is repeated", (secret) => {
    const key = keyOf(secret)
    assert.isTrue("why" in key)
    if ("why" in key && secret.length > 6) assert.notInclude(key.why, secret.slice(6))
  })
})
