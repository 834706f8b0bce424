import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { AgentEvent } from "../../../../../src/domain/cli/agents/AgentEvent.ts"
import * as HttpAttempt from "../../../../../src/domain/cli/agents/http/HttpAttempt.ts"
import { httpSettings } from "../../../../../src/domain/cli/agents/http/HttpSettings.ts"
import { retryLimits } from "../../../../../src/domain/cli/agents/http/Retry.ts"
import { countByBytes } from "../../../../../src/domain/cli/agents/tokens.ts"
import { chunk, stream, usage, whole } from "../../../../support/headless/chatServer.ts"

const at = Date.parse("2026-03-01T12:00:00Z")
const key = "sk-test-0123456789abcdefghij"
const settings = Result.getOrThrow(
  httpSettings({ baseUrl: "http://h/v1", model: "asked", apiKey: key, maxTokens: 5 }, {}, null)
)
const run: HttpAttempt.HttpRun = { settings, deadline: null }
const first = HttpAttempt.firstAttempt(settings.url)
const encoder = new TextEncoder()

interface Ran {
  readonly events: ReadonlyArray<AgentEvent>
  readonly next: ReadonlyArray<HttpAttempt.HttpNext>
}

const play = (inputs: ReadonlyArray<HttpAttempt.HttpInput>, attempt = first, its = run): Ran => {
  const items: Array<HttpAttempt.HttpItem> = []
  let state = HttpAttempt.start(attempt, 0.5, countByBytes)
  for (const input of inputs) {
    const [next, more] = HttpAttempt.step(its, state, input)
    state = next
    items.push(...more)
  }
  return {
    events: items.flatMap((item) => (item._tag === "Next" ? [] : [item])),
    next: items.flatMap((item) => (item._tag === "Next" ? [item.next] : []))
  }
}

const received = (bytes: Uint8Array): HttpAttempt.HttpInput => ({ _tag: "Received", bytes, at })
const responded: HttpAttempt.HttpInput = { _tag: "Responded", contentType: "text/event-stream" }
const ended: HttpAttempt.HttpInput = { _tag: "Ended", at }
const refused = (status: number, body = "", headers = {}): HttpAttempt.HttpInput => ({
  _tag: "Refused",
  refusal: { status, headers, body, now: at }
})

const text = (events: ReadonlyArray<AgentEvent>): string =>
  events.map((event) => (event._tag === "Text" ? event.text : "")).join("")
const tags = (events: ReadonlyArray<{ readonly _tag: string }>) => events.map(({ _tag }) => _tag)

const bodies: ReadonlyArray<string> = [
  stream("one ", "é🎉", " three", ` ${key} `, "four"),
  stream("a") + stream("after the end"),
  `${chunk({ content: "cut" })}${usage(3, 4)}`,
  `${chunk({ content: "x" })}data: {"error":{"message":"overloaded","code":503}}\n\n`,
  `${chunk({})}data: {"error":{"message":"overloaded","code":503}}\n\n`,
  whole({ content: "all at once" }),
  '{"error":{"message":"no"}}',
  "<html>nothing of ours</html>",
  `${chunk({ content: "before" })}data: {"no JSON\n\n`,
  ""
]
const endings: ReadonlyArray<HttpAttempt.HttpInput> = [
  ended,
  { _tag: "Cut", at },
  { _tag: "TimedOut", idle: true, at },
  { _tag: "TimedOut", idle: false, at }
]

const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000 })))

const cut = (bytes: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<HttpAttempt.HttpInput> => {
  const points = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...points].map((from, i) => received(bytes.subarray(from, points[i] ?? bytes.length)))
}

/** Pieces of one text as one: a secret that may begin holds back another end of each piece. */
const joined = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentEvent> =>
  events.reduce<ReadonlyArray<AgentEvent>>((all, event) => {
    const last = all.at(-1)
    return event._tag === "Text" && last?._tag === "Text" && event.delta && last.delta
      ? [...all.slice(0, -1), { ...last, text: last.text + event.text }]
      : [...all, event]
  }, [])

describe("an attempt at a request", () => {
  it.prop(
    "is the same wherever its body is cut, and ends once",
    { which: Index, end: Index, cuts: Cuts },
    ({ cuts, end, which }) => {
      const bytes = encoder.encode(bodies[which % bodies.length])
      const last = endings[end % endings.length] ?? ended
      const whole = play([responded, received(bytes), last])
      const pieces = play([responded, ...cut(bytes, cuts), last, received(bytes), last, refused(503)])
      assert.deepStrictEqual({ ...pieces, events: joined(pieces.events) }, { ...whole, events: joined(whole.events) })
      assert.strictEqual(pieces.next.length, 1)
      assert.notInclude(JSON.stringify(pieces), key)
    }
  )

  it.prop(
    "loses and doubles no text, and repeats no answer of which something was given out, wherever it breaks off",
    { which: Index, end: Index, cuts: Cuts },
    ({ cuts, end, which }) => {
      const bytes = encoder.encode(bodies[which % bodies.length])
      const broken = bytes.subarray(0, (cuts[0] ?? 0) % (bytes.length + 1))
      const { events, next } = play([responded, ...cut(broken, cuts), endings[end % endings.length] ?? ended])
      const [outcome] = next
      if (outcome?._tag === "Complete") assert.strictEqual(outcome.answer.text, text(events))
      else if (outcome?._tag === "Fail") assert.strictEqual(outcome.failure.partial.text, text(events))
      else {
        assert.strictEqual(outcome?._tag, "Retry")
        assert.strictEqual(text(events), "")
      }
      assert.isAtMost(events.filter((event) => event._tag === "Started").length, 1)
    }
  )

  it("stops at the server's word that it is done, before the connection ends", () => {
    const { events, next } = play([responded, received(encoder.encode(stream("a")))])
    assert.deepStrictEqual(tags(events), ["Started", "Text", "Used", "Answered"])
    assert.deepStrictEqual(tags(next), ["Complete"])
  })

  it("begins once in all attempts, with the model that was asked for where none is named", () => {
    const begun = play([responded, received(encoder.encode('data: {"choices":[{"index":0,"delta":{}}]}\n\n')), ended])
    assert.deepStrictEqual(begun.events[0], { _tag: "Started", sessionId: null, model: "asked" })
    const [retry] = begun.next
    if (retry?._tag !== "Retry") throw new Error(retry?._tag)
    assert.deepStrictEqual(retry.attempt, { ...first, failures: 1, waited: retry.wait, cuts: 1, started: true })
    assert.deepStrictEqual(tags(play([responded, received(encoder.encode(stream("a")))], retry.attempt).events), [
      "Text",
      "Used",
      "Answered"
    ])
  })

  it("is made twice at most where the server begins to answer, and may charge for it", () => {
    const begun = [responded, received(encoder.encode('data: {"choices":[{"index":0,"delta":{}}]}\n\n')), ended]
    const [retry] = play(begun).next
    if (retry?._tag !== "Retry") throw new Error(retry?._tag)
    assert.strictEqual(play(begun, retry.attempt).next[0]?._tag, "Fail")
    assert.strictEqual(play([refused(503)], retry.attempt).next[0]?._tag, "Retry")
  })

  it.each<readonly [string, HttpAttempt.HttpInput, HttpAttempt.HttpNext["_tag"], ReadonlyArray<string>]>([
    ["overload", refused(503), "Retry", ["Retrying"]],
    [
      "a refused connection",
      { _tag: "Unreachable", fault: { why: "it was refused", retriable: true }, at },
      "Retry",
      ["Retrying"]
    ],
    [
      "an unknown server",
      { _tag: "Unreachable", fault: { why: "there is none", retriable: false }, at },
      "Fail",
      ["Failed"]
    ],
    ["a wrong key", refused(401), "Fail", ["Failed"]],
    [
      "an option that the server does not know",
      refused(400, "Unsupported parameter: max_completion_tokens"),
      "Repeat",
      ["Notice"]
    ],
    ["a redirect on the same server", refused(307, "", { location: "/v2/chat/completions" }), "Repeat", []],
    ["a redirect elsewhere", refused(307, "", { location: "http://elsewhere/" }), "Fail", ["Failed"]],
    ["silence before the first byte", { _tag: "TimedOut", idle: true, at }, "Fail", []]
  ])("after %s", (_, input, tag, events) => {
    const ran = play([input])
    assert.deepStrictEqual([tags(ran.next), tags(ran.events)], [[tag], events])
  })

  it("is not made again without end, nor past the deadline", () => {
    const last = { ...first, failures: retryLimits.count }
    assert.deepStrictEqual(tags(play([refused(503)], last).next), ["Fail"])
    assert.deepStrictEqual(tags(play([refused(503)], first, { ...run, deadline: at + 1 }).next), ["Fail"])
    const elsewhere = refused(307, "", { location: "/v2" })
    assert.deepStrictEqual(tags(play([elsewhere], { ...first, redirects: 3 }).next), ["Fail"])
  })
})
