import * as AgentProviderHttp from "../../../src/layers/headless/http/AgentProviderHttp.ts"
import { Clock, Effect, Fiber, Layer, Result, Stream } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { AgentEvent } from "../../../src/domain/cli/headless/AgentEvent.ts"
import type { AgentResult } from "../../../src/domain/cli/headless/AgentResult.ts"
import type { Conversation } from "../../../src/domain/cli/headless/Conversation.ts"
import type { AgentError, AgentRun, ConversationResult } from "../../../src/services/AgentProvider.ts"
import { stream } from "./chatServer.ts"

export const key = "sk-test-0123456789abcdefghij"
export const base = { baseUrl: "http://h/v1", model: "m", apiKey: key }

export interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: {
    readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>
    readonly [key: string]: unknown
  }
  readonly at: number
}

/** What comes back; `down`: no connection. An effect takes its time. */
export type Reply = Response | "down" | Effect.Effect<Response>
export const reply =
  (status: number, body: string, headers: Record<string, string> = {}): (() => Reply) =>
  () =>
    new Response(body, { status, headers })
export const fine = (...texts: ReadonlyArray<string>) => reply(200, stream(...texts))

/** A client that answers the first request with the first reply and so on, the last one over and over. */
export const clientOf = (...replies: ReadonlyArray<() => Reply>) => {
  const sent: Array<Sent> = []
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.gen(function* () {
        const { body } = request
        const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "{}"
        sent.push({
          url: url.href,
          headers: request.headers,
          body: JSON.parse(text) as Sent["body"],
          at: yield* Clock.currentTimeMillis
        })
        const given = replies[Math.min(sent.length, replies.length) - 1]?.() ?? "down"
        const answer = Effect.isEffect(given) ? yield* given : given
        return answer === "down"
          ? yield* new HttpClientError.HttpClientError({
              reason: new HttpClientError.TransportError({ request, cause: { code: "ECONNREFUSED" } })
            })
          : HttpClientResponse.fromWeb(request, answer)
      })
    )
  )
  return { sent, layer }
}

export interface Ran<A> {
  readonly events: ReadonlyArray<AgentEvent>
  readonly result: A | null
  readonly error: AgentError | null
}

/** All that a run gave. */
export const collect = <A>(run: AgentRun<A>): Effect.Effect<Ran<A>> =>
  Effect.gen(function* () {
    const events: Array<AgentEvent> = []
    let result: A | null = null
    const done = yield* run.pipe(
      Stream.runForEach((item) =>
        Effect.sync(() => {
          if (item._tag === "Result") result = item.result
          else events.push(item)
        })
      ),
      Effect.result
    )
    return { events, result, error: Result.isFailure(done) ? done.failure : null }
  })

/** One turn, with as much time as it waits for. */
export const execute = Effect.fnUntraced(function* (
  replies: ReadonlyArray<() => Reply>,
  options: object = {},
  prompt = "P",
  env: Record<string, string> = {}
) {
  const { layer, sent } = clientOf(...replies)
  const agent = yield* AgentProviderHttp.make(env).pipe(Effect.provide(layer))
  const fiber = yield* Effect.forkChild(collect<AgentResult>(agent.execute(prompt, { ...base, ...options })))
  // time passes until it has ended; none is needed where nothing waits
  for (let step = 0; step < 400 && fiber.pollUnsafe() === undefined; step++) yield* TestClock.adjust(1_000)
  return { ...(yield* Fiber.join(fiber)), sent }
})

/** A turn of a conversation that waits for nothing. */
export const converse = Effect.fnUntraced(function* (
  conversation: Conversation,
  replies: ReadonlyArray<() => Reply>,
  options: object = {}
) {
  const { layer, sent } = clientOf(...replies)
  const agent = yield* AgentProviderHttp.make({}).pipe(Effect.provide(layer))
  return {
    ...(yield* collect<ConversationResult>(agent.executeConversation(conversation, "P", { ...base, ...options }))),
    sent
  }
})
