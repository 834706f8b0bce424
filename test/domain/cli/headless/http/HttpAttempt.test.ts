import { started } from "../../../../../src/domain/cli/headless/decoderState.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { AgentEvent, ProviderProblemKind } from "../../../../../src/domain/cli/headless/AgentEvent.ts"
import * as HttpAttempt from "../../../../../src/domain/cli/headless/http/HttpAttempt.ts"
import { httpSettings } from "../../../../../src/domain/cli/headless/http/HttpSettings.ts"
import { retryLimits } from "../../../../../src/domain/cli/headless/http/HttpAttempt.ts"
import { countByBytes } from "../../../../../src/domain/cli/headless/tokens.ts"
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
    assert.deepStrictEqual(tags(events), ["Started", "RequestStarted", "Text", "RequestEnded", "Used", "Answered"])
    assert.deepStrictEqual(tags(next), ["Complete"])
  })

  it("begins once in all attempts, with the model that was asked for where none is named", () => {
    const begun = play([responded, received(encoder.encode('data: {"choices":[{"index":0,"delta":{}}]}\n\n')), ended])
    assert.deepStrictEqual(begun.events[0], started({ model: "asked" }))
    const [retry] = begun.next
    if (retry?._tag !== "Retry") throw new Error(retry?._tag)
    assert.deepStrictEqual(retry.attempt, { ...first, failures: 1, waited: retry.wait, disconnects: 1, started: true })
  })

  const again = (finish: unknown) => (content: string) => chunk({ content }, finish as string)
  const each = (finish: unknown) => ["one ", "two ", "three"].map(again(finish)).join("")
  const done = "data: [DONE]\n\n"
  const count = 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":9}}\n\n'
  const counted = (text: string) => text.replace(/]}\n/g, '],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n')
  it.each<
    readonly [string, string, (typeof endings)[number], HttpAttempt.HttpNext["_tag"], string, isFinished: boolean]
  >([
    ["'stop' in each part, then the mark", each("stop") + done, ended, "Complete", "one two three", false],
    ["'stop' in each part, then the end", each("stop"), ended, "Complete", "one two three", false],
    [
      "'stop' in each part, with a count in each",
      counted(each("stop")) + done,
      ended,
      "Complete",
      "one two three",
      false
    ],
    ["'stop' in each part, but cut off", each("stop"), { _tag: "Cut", at }, "Fail", "one two three", false],
    [
      "'stop' before the end",
      again(null)("one ") + again("stop")("two ") + again(null)("three"),
      { _tag: "Cut", at },
      "Fail",
      "one two three",
      false
    ],
    ["'null' as a word, cut off", each("null"), { _tag: "Cut", at }, "Fail", "one two three", false],
    [
      "'None' as a word, then an end",
      each("None") + chunk({}, "stop"),
      { _tag: "Cut", at },
      "Complete",
      "one two three",
      true
    ],
    ["no text in it (Ollama), cut off", each(""), { _tag: "Cut", at }, "Fail", "one two three", false],
    ["no reason, then a count of all, then the end", each(null) + count, ended, "Complete", "one two three", false],
    ["no reason, then a count, cut off", each(null) + count, { _tag: "Cut", at }, "Fail", "one two three", false],
    ["no reason, a count in between", again(null)("one") + count + again(null)("two"), ended, "Fail", "onetwo", false],
    ["no reason, a count of nothing", again(null)("one") + count.replace("9", "0"), ended, "Fail", "one", false],
    ["no reason and no count", each(null), ended, "Fail", "one two three", false],
    [
      "the older API's text",
      'data: {"choices":[{"text":"all","finish_reason":"stop"}]}\n\n',
      ended,
      "Complete",
      "all",
      false
    ],
    ["a single part", again("stop")("all") + done, ended, "Complete", "all", false]
  ])("is whole as its server says it: %s", (_, body, end, tag, said, isFinished) => {
    const all = [responded, received(encoder.encode(body))]
    const state = all.reduce(
      (state, input) => HttpAttempt.step(run, state, input)[0],
      HttpAttempt.start(first, 0.5, countByBytes)
    )
    const { events, next } = play([...all, end])
    assert.deepStrictEqual([tags(next), text(events), HttpAttempt.isFinished(state)], [[tag], said, isFinished])
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

  const sse = (part: unknown) => `data: ${JSON.stringify(part)}\n\n`
  it.each<readonly [string, string, ProviderProblemKind, RegExp]>([
    [
      "choices: null beside a message",
      sse({ id: "x", choices: null, error_message: "Rate limit exceeded" }),
      "rate_limited",
      /Rate limit exceeded/
    ],
    [
      "FastChat, old vLLM",
      sse({ object: "error", message: "The model is overloaded", type: "InternalServerError", code: 500 }),
      "overloaded",
      /The model is overloaded/
    ],
    [
      "FastChat without a status",
      sse({ object: "error", message: "maximum context length is 4096", code: 40303 }),
      "context",
      /maximum context length/
    ],
    [
      "MiniMax: limits",
      sse({ choices: null, base_resp: { status_code: 1002, status_msg: "rate limit" } }),
      "rate_limited",
      /rate limit/
    ],
    [
      "MiniMax: money",
      sse({ base_resp: { status_code: 1008, status_msg: "insufficient balance" } }),
      "quota",
      /insufficient balance/
    ],
    [
      "SiliconFlow",
      sse({ code: 30001, message: "Sorry, your account balance is insufficient", data: null }),
      "quota",
      /balance is insufficient/
    ],
    [
      "DashScope",
      sse({ code: "InvalidApiKey", message: "Invalid API-key provided.", request_id: "x" }),
      "auth",
      /Invalid API-key/
    ],
    [
      "Qianfan",
      sse({ error_code: 18, error_msg: "Open api qps request limit reached" }),
      "rate_limited",
      /qps request limit/
    ],
    ["FastAPI", sse({ detail: "Incorrect API key provided" }), "auth", /Incorrect API key/],
    [
      "Cloudflare",
      sse({ result: null, success: false, errors: [{ code: 429, message: "Capacity exceeded" }] }),
      "rate_limited",
      /Capacity exceeded/
    ],
    [
      "Anthropic's form",
      sse({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      "overloaded",
      /Overloaded/
    ],
    [
      "a status as a text",
      sse({ type: "error", error: { type: "x", message: "no such", http_code: "404" } }),
      "model",
      /no such/
    ],
    ["true beside a message", sse({ error: true, message: "Rate limit exceeded" }), "rate_limited", /Rate limit/],
    [
      "llama.cpp",
      'error: {"code":400,"message":"the request exceeds the available context size","type":"invalid_request_error"}\n\n',
      "context",
      /available context size/
    ],
    ["an event", "event: error\ndata: Rate limit exceeded\n\n", "rate_limited", /Rate limit exceeded/],
    ["an event with a code", 'event: error\ndata: {"code":503,"message":"busy"}\n\n', "overloaded", /busy/],
    ["a whole body that has a message alone", '{"message":"Rate limit exceeded"}', "rate_limited", /Rate limit/],
    ["a whole body of a list", '[{"error":{"code":429,"message":"Resource exhausted"}}]', "rate_limited", /exhausted/],
    ["behind a part without text", chunk({}) + sse({ code: 401, message: "no" }), "auth", /no/],
    ["behind text", chunk({ content: "a" }) + sse({ object: "error", message: "no", code: 401 }), "auth", /no/]
  ])("an error in the place of an answer is the provider's: %s", (_, body, kind, message) => {
    const last = { ...first, failures: retryLimits.maxRetries }
    const [next] = play([responded, received(encoder.encode(body)), ended], last).next
    if (next?._tag !== "Fail" || next.failure.reason._tag !== "Reported") throw new Error(JSON.stringify(next))
    const { problem } = next.failure.reason
    assert.strictEqual(problem.kind, kind)
    assert.match(problem.message, message)
  })

  it("an answer that has the fields of an error, without one, is an answer", () => {
    const parts = [
      { ...JSON.parse(chunk({ content: "a" }).slice(6)), error: null, code: 0, message: "success" },
      { ...JSON.parse(chunk({ content: "b" }).slice(6)), error: {}, base_resp: { status_code: 0, status_msg: "" } },
      { choices: [], code: 200, message: "ok" },
      { ...JSON.parse(chunk({}, "stop").slice(6)), error: "", success: true }
    ]
    const { events, next } = play([responded, received(encoder.encode(parts.map(sse).join(""))), ended])
    assert.deepStrictEqual([tags(next), text(events)], [["Complete"], "ab"])
  })

  it("waits for a server that comes up, within the time that there is, and then has its failures still", () => {
    const loading = refused(503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}')
    let attempt = first
    let last: HttpAttempt.HttpNext | undefined
    for (let times = 0; times < 200 && last?._tag !== "Fail"; times++) {
      const { events, next } = play([loading], attempt)
      last = next[0]
      if (last?._tag !== "Retry") continue
      assert.deepInclude(events[0], { _tag: "Retrying", attempt: times + 1, of: null, inMs: last.wait })
      attempt = last.attempt
    }
    assert.strictEqual(last?._tag, "Fail")
    assert.isAbove(attempt.waited, retryLimits.maxTotalWait - 4_000)
    assert.isAtMost(attempt.waited, retryLimits.maxTotalWait)
    assert.deepStrictEqual(tags(play([loading], first, { ...run, deadline: at + 1 }).next), ["Fail"])
    const inStream = encoder.encode('data: {"error":{"code":503,"message":"Loading model"}}\n\n')
    assert.deepInclude(play([responded, received(inStream), ended]).events[0], { _tag: "Retrying", of: null })
  })

  it("is not made again without end, nor past the deadline", () => {
    const last = { ...first, failures: retryLimits.maxRetries }
    assert.deepStrictEqual(tags(play([refused(503)], last).next), ["Fail"])
    assert.deepStrictEqual(tags(play([refused(503)], first, { ...run, deadline: at + 1 }).next), ["Fail"])
    const elsewhere = refused(307, "", { location: "/v2" })
    assert.deepStrictEqual(tags(play([elsewhere], { ...first, redirects: 3 }).next), ["Fail"])
  })
})
