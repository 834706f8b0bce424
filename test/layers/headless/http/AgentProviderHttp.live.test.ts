import { assert, describe } from "@effect/vitest"
import { Cause, Clock, Deferred, Duration, Effect, Fiber, Stream } from "effect"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import * as HttpClientNode from "../../../../src/layers/system/HttpClientNode.ts"
import * as AgentProviderHttp from "../../../../src/layers/headless/http/AgentProviderHttp.ts"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import type { AgentResult } from "../../../../src/domain/cli/headless/AgentResult.ts"
import type { AgentError } from "../../../../src/services/AgentProvider.ts"
import {
  chatServer,
  chunk,
  type Reply,
  send,
  sendStream,
  stream,
  usage,
  whole
} from "../../../support/headless/chatServer.ts"
import { patience } from "../../../support/run/patience.ts"
import { live, liveWith } from "../../../support/run/effects.ts"
import { each } from "../../../support/data/fields.ts"

const key = "sk-live-0123456789abcdefghijklmnop"

/** What a run gave: events, and its end. `heard`: what is done at each of its words. */
const outcome = (url: string, options: object = {}, heard: Effect.Effect<unknown> = Effect.void) =>
  Effect.gen(function* () {
    const agent = yield* AgentProviderHttp.make({ OPENAI_BASE_URL: url, OPENAI_MODEL: "m", OPENAI_API_KEY: key })
    const items: Array<AgentEvent | { readonly _tag: "Result"; readonly result: AgentResult }> = []
    const error = yield* agent.execute("hello", { timeout: patience, ...options }).pipe(
      Stream.runForEach((item) =>
        Effect.andThen(
          Effect.sync(() => items.push(item)),
          item._tag === "Text" ? heard : Effect.void
        )
      ),
      Effect.match({ onFailure: (error): AgentError | null => error, onSuccess: () => null })
    )
    const result = items.find((item) => item._tag === "Result")
    return {
      items,
      error,
      said: items.flatMap((item) => (item._tag === "Text" ? [item.text] : [])).join(""),
      tags: items.map(({ _tag }) => _tag),
      result: result?._tag === "Result" ? result.result : null
    }
  }).pipe(Effect.provide(HttpClientNode.layer))

/** The same on a clock whose waits of so many milliseconds end as this does, however fast the machine is, and no others. */
const waiting =
  (millis: number, end: Effect.Effect<void>) =>
  <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(run, Clock.Clock, (clock) => ({
      ...clock,
      sleep: (duration) => (Duration.toMillis(duration) === millis ? end : Effect.never)
    }))

const begin: Reply = (response) => response.writeHead(200, { "content-type": "text/event-stream" })

describe("an OpenAI-compatible server, over a real connection", () => {
  live("streams, and a character cut between two packets stays whole", function* () {
    const bytes = Buffer.from(stream("héllo ", "wörld 🎉"))
    const at = bytes.indexOf(0xf0) + 2
    const server = yield* chatServer((response, request) => {
      begin(response, request)
      response.write(bytes.subarray(0, at))
      setImmediate(() => response.end(bytes.subarray(at)))
    })
    const { error, result, said, tags } = yield* outcome(server.url)
    assert.isNull(error)
    assert.strictEqual(said, "héllo wörld 🎉")
    assert.deepStrictEqual(tags, [
      "Started",
      "RequestStarted",
      "Text",
      "Text",
      "RequestEnded",
      "Used",
      "Answered",
      "Result"
    ])
    assert.strictEqual(result?.text, said)
    assert.deepStrictEqual(result?.tokens, {
      input: 10,
      cacheRead: 0,
      cacheWrite: 0,
      output: 8,
      total: 18,
      estimated: false
    })
    const [request] = server.requests
    assert.strictEqual(request?.path, "/v1/chat/completions")
    assert.strictEqual(request?.headers.authorization, `Bearer ${key}`)
    assert.isUndefined(request?.headers["traceparent"])
  })

  live("a connection that is cut before the first word is made again", function* () {
    const server = yield* chatServer(
      (response) => response.destroy(),
      (response, request) => {
        begin(response, request)
        response.write(chunk({ role: "assistant", content: "" }), () => response.destroy())
      },
      sendStream("fine")
    )
    const { error, said, tags } = yield* outcome(server.url)
    assert.isNull(error)
    assert.strictEqual(said, "fine")
    assert.strictEqual(server.requests.length, 3)
    assert.deepStrictEqual(
      tags.filter((tag) => tag !== "Text"),
      ["Retrying", "Started", "RequestStarted", "Retrying", "RequestEnded", "Used", "Answered", "Result"]
    )
  })

  for (const encoding of ["gzip", "br", "deflate"] as const)
    live(`is read where it compresses its answer: ${encoding}`, function* () {
      const pack = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }[encoding]
      const headers = { "content-type": "text/event-stream", "content-encoding": encoding }
      const server = yield* chatServer(send(200, pack(stream("packed")), headers))
      const { error, said } = yield* outcome(server.url)
      assert.deepStrictEqual([error, said], [null, "packed"])
    })

  live("is not waited for once it has answered, whether or not it says that this was all", function* () {
    const open =
      (...pieces: ReadonlyArray<string>): Reply =>
      (response, request) => {
        begin(response, request)
        response.write(pieces.join(""))
      }
    const answer = [chunk({ content: "a" }), chunk({}, "stop")]
    const server = yield* chatServer(open(...answer, usage(1, 1)), open(...answer))
    for (const count of [1, 2]) {
      const { error, said } = yield* outcome(server.url, { timeout: 600_000 })
      assert.deepStrictEqual([error, said, server.requests.length], [null, "a", count])
    }
  })

  live("says what it asked where there is nothing of the kind", function* () {
    const server = yield* chatServer(send(404, '{"detail":"Not Found"}'))
    const { error } = yield* outcome(server.url)
    assert.match(error?.message ?? "", /is the base URL right\? It asked http:.*\/v1\/chat\/completions$/)
  })

  live("one that is cut in the middle is not, and what was said is kept", function* () {
    const server = yield* chatServer((response, request) => {
      begin(response, request)
      response.write(`${chunk({ content: "half an " })}${chunk({ content: "answer" })}data: {"choi`, () =>
        response.destroy()
      )
    })
    const { error, said } = yield* outcome(server.url)
    assert.strictEqual(server.requests.length, 1)
    assert.strictEqual(error?._tag, "AgentProtocolError")
    assert.include(error?.message, "cut off")
    assert.strictEqual(said, "half an answer")
    assert.strictEqual((error as { readonly text?: string } | null)?.text, "half an answer")
  })

  live("a server that falls silent runs into the idle time-out; one that is only slow does not", function* () {
    const silent = yield* chatServer((response, request) => {
      begin(response, request)
      response.write(chunk({ content: "and then" }))
    })
    const spoken = yield* Deferred.make<void>()
    const stuck = yield* outcome(silent.url, { idleTimeout: 150 }, Deferred.succeed(spoken, undefined)).pipe(
      waiting(150, Deferred.await(spoken))
    )
    assert.strictEqual(stuck.error?._tag, "AgentTimeoutError")
    assert.include(stuck.error, { idle: true, afterMs: 150, text: "and then", exitCode: 4 })
    yield* Effect.promise(() => silent.requests[0]?.closed ?? Promise.reject(new Error("no request")))

    // each part comes when the client has begun to wait for it
    const parts = [": still here\n\n", ": still here\n\n", ": still here\n\n", ": still here\n\n", stream("done")]
    let write: (part: string) => void = () => {}
    const slow = yield* chatServer((response, request) => {
      begin(response, request)
      response.flushHeaders()
      write = (part) => void (parts.length === 0 ? response.end(part) : response.write(part))
    })
    const next = Effect.sync(() => {
      const part = parts.shift()
      if (part !== undefined) write(part)
    })
    const { error, said } = yield* outcome(slow.url, { idleTimeout: 1_000 }).pipe(
      waiting(1_000, Effect.andThen(next, Effect.never))
    )
    assert.isNull(error)
    assert.strictEqual(said, "done")
  })

  live("one that says all and does not hang up is not waited for", function* () {
    const server = yield* chatServer(
      (response, request) => {
        begin(response, request)
        response.write(stream("all"))
      },
      (response, request) => {
        begin(response, request)
        response.write(`${chunk({ content: "all" })}${chunk({}, "stop")}`)
      }
    )
    const done = yield* Effect.timeout(outcome(server.url), patience)
    assert.strictEqual(done.result?.text, "all")
    yield* Effect.promise(() => server.requests[0]?.closed ?? Promise.reject(new Error("no request")))
    const spoken = yield* Deferred.make<void>()
    const finished = yield* outcome(server.url, { idleTimeout: 100 }, Deferred.succeed(spoken, undefined)).pipe(
      waiting(100, Deferred.await(spoken))
    )
    assert.isNull(finished.error)
    assert.include(finished.result, { text: "all", stopReason: "end_turn" })
    assert.deepInclude(finished.result?.tokens, { estimated: true })
  })

  live("the whole takes no longer than it may, silent or not", function* () {
    const server = yield* chatServer((response, request) => {
      begin(response, request)
      const timer = setInterval(() => response.write(": still here\n\n"), 20)
      void request.closed.then(() => clearInterval(timer))
    })
    const { error } = yield* outcome(server.url, { timeout: 200 })
    assert.include(error, { _tag: "AgentTimeoutError", idle: false, afterMs: 200 })
    const mute = yield* chatServer(() => undefined)
    assert.include((yield* outcome(mute.url, { timeout: 100 })).error, { _tag: "AgentTimeoutError", idle: false })
  })

  liveWith(HttpClientNode.layer)("interrupting the stream hangs up", function* () {
    const server = yield* chatServer((response, request) => {
      begin(response, request)
      response.write(chunk({ content: "on and on" }))
    })
    const agent = yield* AgentProviderHttp.make({ OPENAI_BASE_URL: server.url, OPENAI_MODEL: "m" })
    const speaking = yield* Deferred.make<void>()
    const fiber = yield* agent.execute("hello", {}).pipe(
      Stream.runForEach((item) => (item._tag === "Text" ? Deferred.succeed(speaking, undefined) : Effect.void)),
      Effect.forkScoped
    )
    yield* Deferred.await(speaking)
    yield* Fiber.interrupt(fiber)
    yield* Effect.promise(() => server.requests[0]?.closed ?? Promise.reject(new Error("no request")))
    const exit = yield* Fiber.await(fiber)
    assert.isTrue(exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause))
  })

  liveWith(HttpClientNode.layer)("taking no more than the first event hangs up too", function* () {
    const server = yield* chatServer((response, request) => {
      begin(response, request)
      response.write(chunk({ content: "on and on" }))
    })
    const agent = yield* AgentProviderHttp.make({ OPENAI_BASE_URL: server.url, OPENAI_MODEL: "m" })
    yield* agent.execute("hello", {}).pipe(Stream.take(1), Stream.runDrain)
    yield* Effect.promise(() => server.requests[0]?.closed ?? Promise.reject(new Error("no request")))
    assert.strictEqual(server.requests.length, 1)
  })

  live("a server that does not run is told as what it is, after tries within the time there is", function* () {
    const server = yield* chatServer(sendStream("never"))
    const url = server.url.replace(/:\d+/, ":1")
    const { error, tags } = yield* outcome(url, { timeout: 2_000 })
    assert.strictEqual(error?._tag, "AgentReportedError")
    assert.strictEqual(
      error?.message,
      "openai_compatible: no answer from http://127.0.0.1:1/v1/chat/completions: the connection was refused; does the server run?"
    )
    assert.strictEqual(tags.at(-1), "Failed")
  })

  live("a redirect is followed within the server, and nowhere else", function* () {
    const server = yield* chatServer(send(308, "", { location: "/v2/chat/completions" }), sendStream("here"))
    assert.strictEqual((yield* outcome(server.url)).said, "here")
    assert.deepStrictEqual(each(server.requests, "path"), ["/v1/chat/completions", "/v2/chat/completions"])
    const thief = yield* chatServer(sendStream("thanks for the key"))
    const away = yield* chatServer(send(307, "", { location: `${thief.url}/chat/completions?x=${key}` }))
    const { error } = yield* outcome(away.url)
    assert.strictEqual(thief.requests.length, 0)
    assert.include(error?.message, "unexpected status (HTTP 307): it redirects to http://127.0.0.1:")
    assert.notInclude(error?.message, key)
    const loop = yield* chatServer(send(307, "", { location: "/again" }))
    assert.include((yield* outcome(loop.url)).error?.message, "HTTP 307")
    assert.strictEqual(loop.requests.length, 4)
  })

  live("an answer beyond what is kept: every word is given out, and it ends well", function* () {
    const piece = Buffer.from(chunk({ content: "x".repeat(64 << 10) }).repeat(16))
    const rounds = 68
    const server = yield* chatServer((response, request) => {
      begin(response, request)
      let left = rounds
      const more = (): void => {
        while (left-- > 0) {
          if (!response.write(piece)) {
            response.once("drain", more)
            return
          }
        }
        response.end(`${chunk({}, "length")}${usage(1, 2)}data: [DONE]\n\n`)
      }
      more()
    })
    const { error, items, result, said } = yield* outcome(server.url)
    assert.isNull(error)
    assert.strictEqual(said.length, rounds << 20)
    assert.strictEqual(result?.text.length, 64 << 20)
    assert.strictEqual(result?.stopReason, "max_tokens")
    assert.deepStrictEqual(
      items.flatMap((item) => (item._tag === "Notice" ? [item.text.slice(0, 42)] : [])),
      ["the answer is longer than 64 Mi characters"]
    )
  })

  live("a server that knows no streaming is understood", function* () {
    const server = yield* chatServer(
      send(
        200,
        whole({
          role: "assistant",
          content: [
            { type: "text", text: "all at " },
            { type: "text", text: "once" }
          ]
        }),
        { "content-type": "application/json" }
      )
    )
    const { items, result, tags } = yield* outcome(server.url)
    assert.deepStrictEqual(tags, ["Started", "RequestStarted", "Text", "RequestEnded", "Used", "Answered", "Result"])
    assert.deepInclude(items[2], { text: "all at once", delta: false })
    assert.include(result, { text: "all at once", stopReason: "end_turn" })
  })
})
