import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, FileSystem, Logger, PlatformError, References } from "effect"
import { TestClock } from "effect/testing"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { begin } from "../../../../src/domain/cli/headless/turns.ts"
import type { Conversation } from "../../../../src/domain/cli/headless/Conversation.ts"
import { TokenCounter } from "../../../../src/services/TokenCounter.ts"
import * as AgentProviderHttp from "../../../../src/layers/headless/http/AgentProviderHttp.ts"
import { base, clientOf, collect, converse, execute, fine, key, reply } from "../../../support/headless/chatClient.ts"
import { chunk, stream, usage, whole } from "../../../support/headless/chatServer.ts"
import { effect } from "../../../support/run/effects.ts"
import { each } from "../../../support/data/fields.ts"

const tags = (events: ReadonlyArray<AgentEvent>) => events.map(({ _tag }) => _tag)

const hundredsOfWords = { count: (text: string) => 100 * (text.match(/\S+/g)?.length ?? 0) }

describe("one turn", () => {
  it.effect("tokens are counted by the counter of the program that embeds leap, wherever none is told", () =>
    Effect.gen(function* () {
      const uncounted = reply(200, `${chunk({ content: "one two" })}${chunk({}, "stop")}`)
      const { result } = yield* execute([uncounted], {}, "a b c")
      assert.deepInclude(result?.tokens, { input: 300, output: 200, total: 500, estimated: true })
      const talk = yield* converse(begin("openai_compatible"), [uncounted])
      assert.deepStrictEqual(
        talk.result?.conversation.turns.map(({ tokens }) => tokens),
        [100, 200]
      )
      const { error } = yield* execute([uncounted], { maxTokensTotal: 499 }, "a b c")
      assert.match(error?.message ?? "", /the limit of tokens \(499\) with about 500/)
    }).pipe(Effect.provideService(TokenCounter, hundredsOfWords))
  )

  effect("the answer, its exact tokens, and when", function* () {
    const { error, events, result, sent } = yield* execute([fine("hel", "lo")])
    assert.isNull(error)
    assert.deepStrictEqual(result, {
      provider: "openai_compatible",
      text: "hello",
      answers: ["hello"],
      json: null,
      sessionId: null,
      model: "m-1",
      tokens: { input: 10, cacheRead: 0, cacheWrite: 0, output: 8, total: 18, estimated: false },
      reasoning: null,
      models: null,
      cost: null,
      turns: 1,
      refused: [],
      stopReason: "end_turn",
      startedAt: "1970-01-01T00:00:00.000Z",
      completedAt: "1970-01-01T00:00:00.000Z"
    })
    assert.deepStrictEqual(tags(events), [
      "Started",
      "RequestStarted",
      "Text",
      "Text",
      "RequestEnded",
      "Used",
      "Answered"
    ])
    assert.deepStrictEqual(each(sent, "body"), [
      {
        model: "m",
        messages: [{ role: "user", content: "P" }],
        stream: true,
        stream_options: { include_usage: true }
      }
    ])
  })

  effect("with a schema is mended where the server does not keep to it", function* () {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
    const no = reply(400, JSON.stringify({ error: { message: "response_format json_schema is not supported" } }))
    const { result, sent } = yield* execute([no, fine('{"n": "1"}'), fine('{"n": 1}')], { schema })
    assert.deepStrictEqual([result?.json, result?.tokens.total], [{ n: 1 }, 36])
    assert.deepStrictEqual(
      sent.map(({ body }) => (body["response_format"] as { type: string }).type),
      ["json_schema", "json_object", "json_schema"]
    )
    assert.deepStrictEqual(
      sent[2]?.body.messages.map(({ role }) => role),
      ["user", "assistant", "user"]
    )
  })

  effect("a server that loads its model for twenty seconds is waited for", function* () {
    const loading = '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}'
    const server = () =>
      Effect.map(Clock.currentTimeMillis, (at) =>
        at < 20_000 ? new Response(loading, { status: 503 }) : new Response(stream("a"))
      )
    const { events, result } = yield* execute([server])
    assert.isAbove(events.filter((event) => event._tag === "Retrying").length, 4)
    assert.strictEqual(result?.text, "a")
  })

  effect("a refusal is told as one, and is no answer to be mended", function* () {
    const refusal = reply(200, `${chunk({ refusal: "I will not" })}${chunk({}, "stop")}`)
    const { result } = yield* execute([refusal])
    assert.deepInclude(result, { text: "I will not", stopReason: "refusal" })
    const { sent } = yield* execute([refusal], { schema: { type: "object" } })
    assert.strictEqual(sent.length, 1)
  })

  effect("numbers and the system prompt are sent", function* () {
    const { sent } = yield* execute([fine("a")], { temperature: 1.5, maxTokens: 100, topP: 0.9, systemPrompt: "SYS" })
    assert.deepInclude(sent[0]?.body, {
      temperature: 1.5,
      max_completion_tokens: 100,
      top_p: 0.9,
      messages: [
        { role: "system", content: "SYS" },
        { role: "user", content: "P" }
      ]
    })
  })

  effect("what is known to be wrong is told before any call", function* () {
    const endpoint = (baseUrl: string, problem: string | null = null) => ({
      name: "e",
      displayName: "E",
      defaults: { baseUrl, apiKey: "k" },
      problem
    })
    const { layer, sent } = clientOf(fine("a"))
    const told = (...made: Parameters<typeof AgentProviderHttp.make>) =>
      Effect.flatMap(AgentProviderHttp.make(...made), ({ validate }) =>
        Effect.match(validate, { onFailure: (error) => error.message.split(":")[0], onSuccess: () => null })
      ).pipe(Effect.provide(layer))
    assert.deepStrictEqual(
      yield* Effect.all([
        told({}),
        told({ OPENAI_BASE_URL: "http://h/v1" }),
        told({ OPENAI_BASE_URL: "h/v1" }),
        told({ OPENAI_BASE_URL: "http://h/v1", OPENAI_API_KEY: "a b" }),
        told({}, endpoint("http://h/v1")),
        told({}, endpoint("ftp://h")),
        told({}, endpoint("http://h/v1", "its key is to be in X, which is not set"))
      ]),
      [null, null, "baseUrl", "apiKey", null, "baseUrl", "endpoint"]
    )
    assert.deepStrictEqual(sent, [])
  })

  effect("a blank prompt makes no request, and comes before all else", function* () {
    for (const prompt of ["", "  ", "\t\n"]) {
      const { error, sent } = yield* execute([fine("a")], { baseUrl: "nowhere" }, prompt)
      assert.include(error, { _tag: "EmptyPromptError", exitCode: 2 })
      assert.strictEqual(sent.length, 0)
    }
  })

  effect("a bad option makes no request", function* () {
    const { error, sent } = yield* execute([fine("a")], { temperature: 3 })
    assert.include(error, {
      _tag: "AgentOptionError",
      message: "temperature: must be between 0 and 2, got 3",
      exitCode: 2
    })
    assert.strictEqual(sent.length, 0)
  })

  effect("interrupted before it began, it makes no request", function* () {
    const { layer, sent } = clientOf(fine("a"))
    const agent = yield* AgentProviderHttp.make({}).pipe(Effect.provide(layer))
    const fiber = yield* Effect.forkChild(collect(agent.execute("P", base)))
    yield* Fiber.interrupt(fiber)
    assert.strictEqual(sent.length, 0)
    assert.strictEqual((yield* Fiber.await(fiber))._tag, "Failure")
  })

  effect(
    "the connection of an attempt is closed before the next one is made, and before the wait for it",
    function* () {
      let closed = 0
      const seen: Array<number> = []
      const endless = () => {
        seen.push(closed)
        const body = new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(100_000).fill(32)),
          cancel: () => void closed++
        })
        return new Response(body, { status: 503, headers: { "retry-after": "7" } })
      }
      const last = () => {
        seen.push(closed)
        return fine("a")()
      }
      const { layer } = clientOf(endless, endless, last)
      const agent = yield* AgentProviderHttp.make({}).pipe(Effect.provide(layer))
      const fiber = yield* Effect.forkChild(collect(agent.execute("P", base)))
      yield* TestClock.adjust(6_000)
      assert.deepStrictEqual([seen, closed], [[0], 1])
      yield* TestClock.adjust(8_000)
      assert.strictEqual((yield* Fiber.join(fiber)).result?.text, "a")
      assert.deepStrictEqual(seen, [0, 1, 2])
    }
  )

  effect(
    "asks a server again that has no format for JSON, by the prompt alone; the conversation has the bare prompt",
    function* () {
      const refusal = reply(400, '{"error":{"message":"response_format.type must be text"}}')
      const { result, sent } = yield* execute([refusal, fine("[1]")], { outputFormat: "json" })
      assert.deepStrictEqual(result?.json, [1])
      assert.deepStrictEqual(
        sent.map(({ body }) => body["response_format"]),
        [{ type: "json_object" }, undefined]
      )
      for (const { body } of sent) assert.match(String(body.messages.at(-1)?.content), /^P\n\n.*JSON/)
      const began = begin(AgentProviderHttp.providerName)
      const kept = (yield* converse(began, [fine("[1]")], { outputFormat: "json" })).result
      assert.strictEqual(kept?.conversation.turns[0]?.text, "P")
    }
  )

  effect("prose instead of JSON is an error that keeps it", function* () {
    const { error, events, result } = yield* execute([fine("sorry, no")], { outputFormat: "json" })
    assert.isNull(result)
    assert.include(error, { _tag: "AgentProtocolError", text: "sorry, no", exitCode: 13 })
    assert.include(error?.message, "not the one JSON value that was asked for")
    assert.deepStrictEqual(tags(events), ["Started", "RequestStarted", "Text", "RequestEnded", "Used", "Answered"])
    assert.include(
      (yield* execute([fine("")], { outputFormat: "json" })).error?.message,
      "is empty, and should be JSON"
    )
  })

  effect("the answer is given out as it comes, and a call of a tool that was not offered is told", function* () {
    const { events, result } = yield* execute([
      reply(
        200,
        [
          chunk({ content: "look" }),
          chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "read", arguments: '{"file_path":"F"}' } }] }),
          chunk({}, "tool_calls"),
          "data: [DONE]\n\n"
        ].join("")
      )
    ])
    assert.deepStrictEqual(events[2], { _tag: "Text", text: "look", delta: true, message: "c1", agent: null })
    assert.deepStrictEqual(events[3], {
      _tag: "ToolStarted",
      id: "c",
      tool: "read",
      preview: "F",
      input: { file_path: "F" },
      agent: null
    })
    assert.strictEqual(result?.stopReason, "tool_use")
  })

  effect("what grants tools is told, as there are none; what restricts them holds by itself", function* () {
    const notices = (events: ReadonlyArray<AgentEvent>) =>
      events.flatMap((event) => (event._tag === "Notice" ? [event.text] : []))
    const grants = { allowedTools: "Read", skipPermissions: true }
    assert.deepStrictEqual(notices((yield* execute([fine("a")], grants)).events), [
      "OpenAI-compatible HTTP has nothing for: skipPermissions, allowedTools"
    ])
    const others = {
      deniedTools: ["Bash"],
      sandbox: "read-only",
      maxTurns: 1,
      allowedTools: "",
      skipPermissions: false
    }
    const { events, result } = yield* execute([fine("a")], others)
    assert.deepStrictEqual([notices(events), result?.text], [[], "a"])
  })

  effect("a limit of turns leaves no turn to mend an answer in, or the rest of them", function* () {
    const schema = { type: "object" }
    const asked = (maxTurns: number) => execute([fine("[]"), fine("{}")], { schema, maxTurns })
    const one = yield* asked(1)
    assert.deepStrictEqual([one.sent.length, one.error?.exitCode], [1, 13])
    const two = yield* asked(2)
    assert.deepStrictEqual([two.sent.length, two.result?.json], [2, {}])
  })

  effect("a directory that is not there is refused before any request, as for a CLI", function* () {
    const { layer, sent } = clientOf(fine("a"))
    const files = FileSystem.layerNoop({
      stat: (path) =>
        path === "/there"
          ? Effect.succeed({ type: "Directory" } as FileSystem.File.Info)
          : Effect.fail(PlatformError.systemError({ _tag: "NotFound", module: "FileSystem", method: "stat" }))
    })
    const agent = yield* AgentProviderHttp.make({}).pipe(Effect.provide([layer, files]))
    const said = (cwd: string) =>
      Effect.map(collect(agent.execute("P", { ...base, cwd })), ({ error }) => error?.message ?? null)
    assert.deepStrictEqual(yield* Effect.all([said("/there"), said("/gone")]), [null, "cwd: '/gone' is no directory"])
    assert.strictEqual(sent.length, 1)
  })
})

describe("a server that answers otherwise", () => {
  effect("an error that no retry mends fails at once", function* () {
    for (const [status, exitCode] of [
      [401, 10],
      [403, 10],
      [400, 12],
      [404, 12],
      [402, 11]
    ] as const) {
      const { error, events, result, sent } = yield* execute([reply(status, `{"error":{"message":"no ${key}"}}`)])
      assert.isNull(result)
      assert.include(error, { _tag: "AgentReportedError", exitCode })
      assert.include(error?.message, `(HTTP ${status}): no ***`)
      assert.deepStrictEqual(tags(events), ["Failed"])
      assert.strictEqual(sent.length, 1)
    }
  })

  effect("429 with seconds and with a date are waited for, exactly", function* () {
    const { error, events, result, sent } = yield* execute([
      reply(429, "", { "retry-after": "60" }),
      reply(429, "", { "retry-after": "Thu, 01 Jan 1970 00:01:20 GMT" }),
      fine("at last")
    ])
    assert.isNull(error)
    assert.strictEqual(result?.text, "at last")
    assert.deepStrictEqual(each(sent, "at"), [0, 60_000, 80_000])
    assert.deepStrictEqual(tags(events), [
      "Retrying",
      "Retrying",
      "Started",
      "RequestStarted",
      "Text",
      "RequestEnded",
      "Used",
      "Answered"
    ])
    assert.deepInclude(events[0], { attempt: 1, of: 4, inMs: 60_000 })
  })

  effect("waits that are asked for are bounded in all, not only each", function* () {
    const { error, sent } = yield* execute([reply(503, "", { "retry-after": "50" })])
    assert.deepStrictEqual(each(sent, "at"), [0, 50_000, 100_000])
    assert.include(error?.message, "server error (HTTP 503)")
  })

  effect("without a word on when, waits grow, with jitter, and end", function* () {
    for (const status of [429, 500, 502, 503, 408, 409, 425]) {
      const { error, events, sent } = yield* execute([reply(status, "busy")])
      assert.strictEqual(error?._tag, "AgentReportedError")
      assert.include(error?.message, `(HTTP ${status}): busy`)
      assert.strictEqual(sent.length, 5)
      assert.deepStrictEqual(tags(events), ["Retrying", "Retrying", "Retrying", "Retrying", "Failed"])
      const waits = events.flatMap((event) => (event._tag === "Retrying" ? [event.inMs ?? -1] : []))
      waits.forEach((wait, i) => assert.isTrue(wait >= 0 && wait < 500 * 2 ** i, `${wait} at ${i}`))
      assert.isAbove(new Set(waits).size, 1)
    }
  })

  effect("nobody's time-out but the caller's", function* () {
    const late = () => Effect.as(Effect.sleep("5 minutes"), new Response(stream("late")))
    assert.strictEqual((yield* execute([late])).result?.text, "late")
    assert.include((yield* execute([late], { timeout: 60_000 })).error, {
      _tag: "AgentTimeoutError",
      idle: false,
      afterMs: 60_000
    })
    assert.include((yield* execute([late], { idleTimeout: 60_000 })).error, {
      _tag: "AgentTimeoutError",
      idle: true,
      afterMs: 60_000
    })
  })

  effect("an error whose words never end is told with those that came", function* () {
    const stuck = () =>
      new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("bad prompt")) }),
        { status: 400 }
      )
    assert.include((yield* execute([stuck])).error?.message, "bad request (HTTP 400): bad prompt")
  })

  effect("a server that is down is tried again, and told when it stays so", function* () {
    assert.strictEqual((yield* execute([() => "down", fine("up")])).result?.text, "up")
    const { error, sent } = yield* execute([() => "down"])
    assert.include(error?.message, "no answer from http://h/v1/chat/completions: the connection was refused")
    assert.strictEqual(sent.length, 5)
  })

  effect(
    "an error in the stream is one, after a word of the answer for good, before it with another try",
    function* () {
      const overloaded = 'data: {"error":{"message":"busy","code":503}}\n\n'
      assert.strictEqual((yield* execute([reply(200, overloaded), fine("ok")])).result?.text, "ok")
      const { error, events, sent } = yield* execute([
        reply(200, chunk({ content: "half" }) + overloaded),
        fine("never")
      ])
      assert.include(error, { _tag: "AgentReportedError", text: "half", exitCode: 12 })
      assert.deepStrictEqual(tags(events), ["Started", "RequestStarted", "Text", "Failed"])
      assert.strictEqual(sent.length, 1)
    }
  )

  effect("what the content filter held back is refused", function* () {
    const { error } = yield* execute([reply(200, chunk({}, "content_filter"))])
    assert.strictEqual(error?._tag === "AgentReportedError" ? error.problem.kind : "", "refused")
  })

  effect("an older server is asked as it knows it", function* () {
    const unknown = (name: string) =>
      reply(400, `{"error":{"message":"Unrecognized request argument supplied: ${name}"}}`)
    const { events, result, sent } = yield* execute(
      [unknown("max_completion_tokens"), unknown("stream_options"), fine("ok")],
      { maxTokens: 5 }
    )
    assert.strictEqual(result?.text, "ok")
    assert.deepStrictEqual(
      sent.map(({ body }) => Object.keys(body).slice(2)),
      [
        ["max_completion_tokens", "stream", "stream_options"],
        ["max_tokens", "stream", "stream_options"],
        ["max_tokens", "stream"]
      ]
    )
    assert.deepStrictEqual(tags(events).slice(0, 2), ["Notice", "Notice"])
  })

  effect("a page instead of an answer, a broken chunk, and bytes that are no UTF-8", function* () {
    const page = yield* execute([reply(200, "<html>Log in</html>", { "content-type": "text/html" })])
    assert.include(page.error, { _tag: "AgentProtocolError", exitCode: 13 })
    assert.include(page.error?.message, "text/html")
    const broken = yield* execute([
      reply(200, `${chunk({ content: "so far" })}data: {oops\n\n${chunk({ content: "lost" })}`)
    ])
    assert.include(broken.error, { _tag: "AgentProtocolError", text: "so far" })
    const latin = Buffer.from(stream("caf\u0001"))
    latin[latin.indexOf("\\u0001")] = 0xe9
    const odd = yield* execute([() => new Response(new Uint8Array(latin))])
    assert.strictEqual(odd.result?.text, "caf\ufffdu0001")
  })

  effect("the key is in nothing that is given out", function* () {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ message, cause }) => void lines.push(message, cause))
    const bad = [401, 403, 404, 418, 429, 500].map((status) => [
      reply(status, `Bearer ${key} "${key}"`, { location: key, "retry-after": key })
    ])
    const streams = [
      [reply(200, key)],
      [reply(200, `{"error":"${key}"}`)],
      [reply(200, `data: {${key}\n\n`)],
      [reply(200, `data: "${key}"\n\n`)],
      [reply(200, `data: {"error":{"message":"${key}","code":"${key}"}}\n\n`)],
      [fine(key, key.slice(0, 9), key.slice(9))],
      [
        reply(
          200,
          whole(
            {
              content: key,
              reasoning: key,
              tool_calls: [{ id: key, function: { name: key, arguments: `{"k":"${key}"}` } }]
            },
            { id: key, model: key }
          )
        )
      ],
      [() => "down" as const]
    ]
    const all = [...bad, ...streams]
    const outcomes = yield* Effect.forEach(all, (replies) =>
      execute(replies, { headers: { "x-api-key": key } }, `my key is ${key}`)
    ).pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(References.MinimumLogLevel, "Trace"))
    for (const { error, events, result, sent } of outcomes) {
      assert.strictEqual(sent[0]?.headers["authorization"], `Bearer ${key}`)
      assert.isTrue(error !== null || result !== null)
      const out = `${JSON.stringify({ events, result, error })}${error?.message}${String(error?.stack)}${String(error)}`
      assert.notInclude(out, key)
    }
    assert.isAbove(lines.length, 0)
    assert.notInclude(JSON.stringify(lines), key)
  })
})

describe("a conversation", () => {
  effect("two turns more, tokens of its own, the given one as it was", function* () {
    const first = begin(AgentProviderHttp.providerName)
    const frozen = JSON.stringify(first)
    const one = yield* converse(first, [reply(200, `${chunk({ content: "A1" }, "stop")}${usage(35, 10)}`)])
    assert.strictEqual(JSON.stringify(first), frozen)
    assert.deepStrictEqual(one.result?.result.tokens, {
      input: 35,
      cacheRead: 0,
      cacheWrite: 0,
      output: 10,
      total: 45,
      estimated: false
    })
    const { conversation } = one.result ?? assert.fail("no result")
    assert.deepStrictEqual(conversation.turns, [
      { role: "user", text: "P", tokens: 35 },
      { role: "assistant", text: "A1", tokens: 10, extra: { context: 45 } }
    ])
    assert.strictEqual(conversation.totalTokens, 45)
    assert.strictEqual(conversation.model, "m")

    const two = yield* converse(conversation, [
      reply(
        200,
        `${chunk({ content: "A2" }, "stop")}${usage(50, 30, { completion_tokens_details: { reasoning_tokens: 20 } })}`
      )
    ])
    assert.deepStrictEqual(two.sent[0]?.body.messages, [
      { role: "user", content: "P" },
      { role: "assistant", content: "A1" },
      { role: "user", content: "P" }
    ])
    assert.deepStrictEqual(two.result?.conversation.turns.slice(2), [
      { role: "user", text: "P", tokens: 5 },
      { role: "assistant", text: "A2", tokens: 30, extra: { context: 60 } }
    ])
    assert.strictEqual(two.result?.conversation.totalTokens, 80)

    const three = yield* converse(two.result?.conversation ?? assert.fail("no result"), [
      reply(200, `${chunk({ content: "A3" }, "stop")}${usage(66, 1)}`)
    ])
    assert.strictEqual(three.result?.conversation.turns[4]?.tokens, 6)
    assert.strictEqual(three.result?.conversation.totalTokens, 87)
    // each request is billed with what was said before it
    const spent = [one, two, three].map(({ result }) => result?.conversation.spent?.tokens)
    assert.deepStrictEqual(spent, [45, 45 + 80, 45 + 80 + 67])
  })

  effect("turns of before and a system prompt", function* () {
    const turns = [
      { role: "user", text: "a", tokens: 1 },
      { role: "assistant", text: "b", tokens: 1 },
      { role: "user", text: "c", tokens: 1 }
    ] as const
    const { result, sent } = yield* converse(
      { ...begin(AgentProviderHttp.providerName), turns, totalTokens: 3 },
      [fine("d")],
      {
        systemPrompt: "SYS"
      }
    )
    assert.deepStrictEqual(
      sent[0]?.body.messages.map(({ role }) => role),
      ["system", "user", "assistant", "user", "user"]
    )
    // it is the conversation's from now on
    assert.deepStrictEqual(each(result?.conversation.turns ?? [], "role"), [
      "system",
      "user",
      "assistant",
      "user",
      "user",
      "assistant"
    ])
    // what the history costs is not known, so neither is what this prompt does
    assert.isNull(result?.conversation.turns[4]?.tokens)
    assert.strictEqual(result?.conversation.totalTokens, 11)
  })

  effect("the system prompt of a later turn is in place of the one before", function* () {
    const one = yield* converse(begin(AgentProviderHttp.providerName), [fine("a")], { systemPrompt: "SYS" })
    const { conversation } = one.result ?? assert.fail("no result")
    const two = yield* converse(conversation, [fine("b")], { systemPrompt: "OTHER" })
    const later = two.result?.conversation ?? assert.fail("no result")
    const three = yield* converse(later, [fine("c")])
    for (const { sent } of [two, three]) {
      assert.deepStrictEqual(
        sent[0]?.body.messages.flatMap(({ content, role }) => (role === "system" ? [content] : [])),
        ["OTHER"]
      )
    }
    assert.deepStrictEqual(each(later.turns, "role"), ["system", "user", "assistant", "user", "assistant"])
    const late = yield* converse(begin(AgentProviderHttp.providerName), [fine("a")])
    const bare = late.result?.conversation ?? assert.fail("no result")
    const last = yield* converse(bare, [fine("b")], { systemPrompt: "LATE" })
    assert.deepStrictEqual(last.sent[0]?.body.messages[0], { role: "system", content: "LATE" })
    assert.deepInclude(last.result?.conversation.turns[0], { role: "system", text: "LATE" })
  })

  effect("calls of tools are kept with the turn", function* () {
    const { result } = yield* converse(begin(AgentProviderHttp.providerName), [
      reply(200, whole({ content: null, tool_calls: [{ id: "c", function: { name: "x", arguments: "{}" } }] }))
    ])
    assert.deepStrictEqual(result?.conversation.turns.at(-1)?.extra, {
      context: 18,
      tool_calls: [{ id: "c", type: "function", function: { name: "x", arguments: "{}" } }]
    })
    const { conversation } = result ?? assert.fail("no result")
    const next = yield* converse(
      {
        ...conversation,
        turns: [...conversation.turns, { role: "tool", text: "42", tokens: null, extra: { tool_call_id: "c" } }]
      },
      [fine("ok")]
    )
    assert.deepStrictEqual(
      next.sent[0]?.body.messages.map(({ role }) => role),
      ["user", "assistant", "tool", "user"]
    )
  })

  effect("one that was held with another provider is refused", function* () {
    const other: Conversation = { ...begin("claude"), turns: [{ role: "user", text: "a", tokens: 1 }] }
    const { error, sent } = yield* converse(other, [fine("a")])
    assert.include(error, { _tag: "AgentOptionError", message: "conversation: it was held with claude" })
    assert.strictEqual(sent.length, 0)
  })

  effect("a key in the prompt is sent, and not kept", function* () {
    const { layer, sent } = clientOf(fine("a"))
    const agent = yield* AgentProviderHttp.make({}).pipe(Effect.provide(layer))
    const { result } = yield* collect(
      agent.executeConversation(begin(AgentProviderHttp.providerName), `it is ${key}`, base)
    )
    assert.strictEqual(sent[0]?.body.messages[0]?.content, `it is ${key}`)
    assert.strictEqual(result?.conversation.turns[0]?.text, "it is ***")
  })
})
