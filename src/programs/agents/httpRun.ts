import { Cause, Clock, Effect, type Pull, Random, Stream } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { AgentEvent, ProviderProblem } from "../../domain/agents/AgentEvent.ts"
import { type Chat, maskedCalls } from "../../domain/agents/http/Chat.ts"
import { type ChatBody, endBody, excerptBytes, isOver, noBody, readBody, textOfPieces } from "../../domain/agents/http/ChatBody.ts"
import { bodyOf, type Dialect, type Messages, newest, simpler } from "../../domain/agents/http/ChatRequest.ts"
import type { ChatUsage } from "../../domain/agents/http/ChatUsage.ts"
import { httpProblem, type HttpRefusal, streamProblem } from "../../domain/agents/http/HttpProblem.ts"
import { type HttpSettings, redirected, shownUrl } from "../../domain/agents/http/HttpSettings.ts"
import { retryIn, retryLimits } from "../../domain/agents/http/Retry.ts"
import type { ToolCall } from "../../domain/agents/http/ToolCalls.ts"
import { transportFault, type TransportFault } from "../../domain/agents/http/Transport.ts"
import { type AgentError, AgentProtocolError, AgentReportedError, AgentTimeoutError } from "../../services/AgentProvider.ts"

/** What one request has brought in the end. */
export interface Answer {
  readonly text: string
  readonly calls: ReadonlyArray<ToolCall>
  readonly usage: ChatUsage | null
  readonly finish: string | null
  readonly model: string
  /** UTF-8 bytes that the model wrote. */
  readonly bytes: number
}

/** What a request is made with, and what is made of its answer. */
export interface HttpRun<A> {
  readonly provider: string
  readonly client: HttpClient.HttpClient
  readonly settings: HttpSettings
  readonly messages: Messages["messages"]
  readonly finish: (answer: Answer) => Effect.Effect<A, AgentError>
}

type Items<A> = Stream.Stream<AgentEvent | A, AgentError>

/** A run on its way. `deadline` in milliseconds since the epoch. */
interface Running<A = unknown> extends HttpRun<A> {
  readonly deadline: number | null
}

/** One try of a request, after so many that failed. */
interface Try {
  readonly url: string
  readonly dialect: Dialect
  readonly failures: number
  readonly waited: number
  readonly redirects: number
  readonly started: boolean
}

interface TimedOut {
  readonly _tag: "TimedOut"
  readonly idle: boolean
}

/** How a try ended. */
type Ending =
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Cut" }
  | TimedOut
  | { readonly _tag: "Unreachable"; readonly fault: TransportFault }
  | { readonly _tag: "Refused"; readonly refusal: HttpRefusal }

/** What a try has brought so far; its own memory, written by its one reader. */
interface Seen {
  body: ChatBody
  contentType: string | null
  started: boolean
  ending: Ending
}

const mostRedirects = 3

/** Waits as long as the caller's bounds allow. */
const within = <A, E, R>(run: Running, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TimedOut, R> =>
  Effect.gen(function*() {
    const left = run.deadline === null ? Infinity : run.deadline - (yield* Clock.currentTimeMillis)
    const idle = run.settings.idleTimeout < left
    if (left <= 0) return yield* Effect.fail<TimedOut>({ _tag: "TimedOut", idle: false })
    return yield* Effect.timeoutOrElse(effect, {
      duration: idle ? run.settings.idleTimeout : left,
      orElse: () => Effect.fail<TimedOut>({ _tag: "TimedOut", idle })
    })
  })

const requestOf = (run: Running, at: Try): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.post(at.url).pipe(
    HttpClientRequest.bodyText(JSON.stringify(bodyOf(run.settings, run.messages, at.dialect)), "application/json"),
    HttpClientRequest.setHeaders(run.settings.headers)
  )

type Bytes = Pull.Pull<readonly [Uint8Array, ...ReadonlyArray<Uint8Array>], unknown>

/** What a server says of an error is not waited for as its answer is. In milliseconds. */
const excerptTime = 5_000

/** The beginning of a body that is no answer. What cannot be read of it is left out. */
const excerptOf = (running: Running, pull: Bytes): Effect.Effect<string> =>
  Effect.gen(function*() {
    const run = { ...running, settings: { ...running.settings, idleTimeout: Math.min(excerptTime, running.settings.idleTimeout) } }
    const pieces: Array<Uint8Array> = []
    let size = 0
    while (size < excerptBytes) {
      const chunk = yield* within(run, pull).pipe(Effect.orElseSucceed(() => null))
      if (chunk === null) break
      for (const piece of chunk) {
        pieces.push(piece.subarray(0, excerptBytes - size))
        size += piece.length
        if (size >= excerptBytes) break
      }
    }
    return textOfPieces(pieces)
  })

/** The events of a chunk, after the one that says that the model has begun. */
const begun = (run: Running, seen: Seen, events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentEvent> => {
  if (seen.started || !seen.body.chat.begun) return events
  seen.started = true
  return [{ _tag: "Started", sessionId: null, model: seen.body.chat.model ?? run.settings.model }, ...events]
}

/** Reads until there is something to tell, or nothing more comes. */
const reading = (run: Running, seen: Seen, pull: Bytes): Pull.Pull<readonly [AgentEvent, ...ReadonlyArray<AgentEvent>]> =>
  Effect.gen(function*() {
    while (!isOver(seen.body)) {
      const chunk = yield* within(run, pull).pipe(Effect.catch((error) => {
        seen.ending = Cause.isDone(error) ? { _tag: "Ended" } : isTimedOut(error) ? error : { _tag: "Cut" }
        return Effect.succeed(null)
      }))
      if (chunk === null) break
      const events: Array<AgentEvent> = []
      for (const piece of chunk) {
        const [body, more] = readBody(seen.body, piece, run.settings.secrets)
        seen.body = body
        events.push(...more)
      }
      const [first, ...rest] = begun(run, seen, events)
      if (first !== undefined) return [first, ...rest]
    }
    return yield* Cause.done()
  })

const isTimedOut = (error: unknown): error is TimedOut => typeof error === "object" && error !== null && "_tag" in error && error._tag === "TimedOut"

const answering = (run: Running, seen: Seen, response: HttpClientResponse.HttpClientResponse) =>
  Effect.gen(function*() {
    const pull: Bytes = yield* Stream.toPull(response.stream)
    if (response.status >= 200 && response.status < 300) {
      seen.contentType = response.headers["content-type"] ?? null
      return Stream.fromPull(Effect.succeed(reading(run, seen, pull)))
    }
    const body = yield* excerptOf(run, pull)
    const now = yield* Clock.currentTimeMillis
    seen.ending = { _tag: "Refused", refusal: { status: response.status, headers: response.headers, body, now } }
    return Stream.empty
  })

/** Makes the request and gives its events. How it ended is in `seen`; it never fails, and holds the connection only as long as it lasts. */
const asking = (run: Running, at: Try, seen: Seen): Stream.Stream<AgentEvent> =>
  Stream.unwrap(
    within(run, HttpClient.withScope(run.client).execute(requestOf(run, at))).pipe(
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.matchEffect({
        onSuccess: (response) => answering(run, seen, response),
        onFailure: (error) => {
          seen.ending = isTimedOut(error)
            ? error
            : { _tag: "Unreachable", fault: transportFault("cause" in error.reason ? error.reason.cause : error.reason, run.settings.secrets.values) }
          return Effect.succeed(Stream.empty)
        }
      })
    )
  )

const partial = (chat: Chat) => ({ sessionId: null, text: chat.text, stderr: "" })

const failing = (run: Running, problem: ProviderProblem, chat: Chat, last: ReadonlyArray<AgentEvent> = []): Items<never> =>
  Stream.concat(
    Stream.fromIterable<AgentEvent>([...last, { _tag: "Failed", problem }]),
    Stream.fail(new AgentReportedError({ provider: run.provider, problem, exit: null, ...partial(chat) }))
  )

/** The same request once more, after a wait; or what stands for it where that is not to be. */
const again = <A>(run: Running<A>, at: Try, seen: Seen, problem: ProviderProblem, otherwise: Items<A>): Effect.Effect<Items<A>> =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const failures = at.failures + 1
    const wait = retryIn({
      count: failures, waited: at.waited, retryAfter: problem.retryAfter, random: yield* Random.next, left: run.deadline === null ? null : run.deadline - now
    })
    if (wait === null) return otherwise
    yield* Effect.logDebug(`${run.provider}: ${problem.message}; tried again in ${wait} ms`)
    const next = { ...at, failures, waited: at.waited + wait, started: seen.started }
    return Stream.concat(
      Stream.make<[AgentEvent]>({ _tag: "Retrying", attempt: failures, of: retryLimits.count, inMs: wait, problem }),
      Stream.unwrap(Effect.as(Effect.sleep(wait), attempt(run, next)))
    )
  })

const afterRefusal = <A>(run: Running<A>, at: Try, seen: Seen, refusal: HttpRefusal): Effect.Effect<Items<A>> => {
  const url = redirected(at.url, refusal.status, refusal.headers["location"])
  if (url !== null && at.redirects < mostRedirects) return Effect.succeed(attempt(run, { ...at, url, redirects: at.redirects + 1 }))
  const { problem, retriable, said } = httpProblem(refusal, run.settings.secrets.values)
  const other = simpler(at.dialect, refusal.status, said, run.settings.maxTokens !== null)
  if (other !== null) {
    return Effect.succeed(Stream.concat(Stream.make<[AgentEvent]>({ _tag: "Notice", text: other.why }), attempt(run, { ...at, dialect: other.dialect })))
  }
  const failed = failing(run, problem, seen.body.chat)
  return retriable ? again(run, at, seen, problem, failed) : Effect.succeed(failed)
}

const unreachable = <A>(run: Running<A>, at: Try, seen: Seen, { retriable, why }: TransportFault): Effect.Effect<Items<A>> => {
  const problem: ProviderProblem = { kind: "other", message: `no answer from ${shownUrl(at.url)}: ${why}`, retryAfter: null }
  const failed = failing(run, problem, seen.body.chat)
  return retriable ? again(run, at, seen, problem, failed) : Effect.succeed(failed)
}

const timedOut = (run: Running, { idle }: TimedOut, chat: Chat, last: ReadonlyArray<AgentEvent>): Items<never> =>
  Stream.concat(
    Stream.fromIterable(last),
    Stream.fail(new AgentTimeoutError({ provider: run.provider, idle, trouble: null, afterMs: idle ? run.settings.idleTimeout : run.settings.timeout ?? 0, ...partial(chat) }))
  )

const notUnderstood = (run: Running, why: string, chat: Chat, last: ReadonlyArray<AgentEvent>): Items<never> =>
  Stream.concat(Stream.fromIterable(last), Stream.fail(new AgentProtocolError({ provider: run.provider, why, ...partial(chat) })))

const complete = <A>(run: Running<A>, chat: Chat, last: ReadonlyArray<AgentEvent>): Items<A> => {
  const calls = maskedCalls(chat, run.settings.secrets)
  if (chat.finish === "content_filter" && chat.text === "" && calls.length === 0) {
    return failing(run, { kind: "refused", message: "the provider's content filter held the answer back", retryAfter: null }, chat, last)
  }
  const answer: Answer = {
    text: chat.text, calls, usage: chat.usage, finish: chat.finish, bytes: chat.bytes, model: chat.model ?? run.settings.model
  }
  return Stream.concat(
    Stream.fromIterable<AgentEvent>([...last, { _tag: "Answered", text: chat.text }]),
    Stream.fromEffect(run.finish(answer))
  )
}

const afterBody = <A>(run: Running<A>, at: Try, seen: Seen): Effect.Effect<Items<A>> =>
  Effect.gen(function*() {
    const { given } = seen.body.chat
    const { ending } = seen
    const [body, events] = endBody(seen.body, seen.contentType, ending._tag !== "Ended", run.settings.secrets)
    const { chat } = body
    seen.body = body
    const { values } = run.settings.secrets
    if (chat.error !== null || chat.finish === "error") {
      const { problem, retriable } = streamProblem(chat.error ?? "the model ended with an error", yield* Clock.currentTimeMillis, values)
      const failed = failing(run, problem, chat, begun(run, seen, events))
      return retriable && !given ? yield* again(run, at, seen, problem, failed) : failed
    }
    if (chat.finish !== null || (chat.done && chat.broken === null)) return complete(run, chat, begun(run, seen, events))
    if (chat.broken !== null) return notUnderstood(run, chat.broken, chat, begun(run, seen, events))
    if (ending._tag === "TimedOut") return timedOut(run, ending, chat, begun(run, seen, events))
    const why = given ? "the answer was cut off in the middle" : "the connection ended before an answer came"
    const cut = notUnderstood(run, why, chat, given ? begun(run, seen, events) : events)
    return given ? cut : yield* again(run, at, seen, { kind: "other", message: why, retryAfter: null }, cut)
  })

const afterwards = <A>(run: Running<A>, at: Try, seen: Seen): Effect.Effect<Items<A>> => {
  const { ending } = seen
  return ending._tag === "Refused"
    ? afterRefusal(run, at, seen, ending.refusal)
    : ending._tag === "Unreachable"
    ? unreachable(run, at, seen, ending.fault)
    : afterBody(run, at, seen)
}

const attempt = <A>(run: Running<A>, at: Try): Items<A> =>
  Stream.suspend(() => {
    const seen: Seen = { body: noBody, contentType: null, started: at.started, ending: { _tag: "Ended" } }
    return Stream.concat(asking(run, at, seen), Stream.unwrap(Effect.suspend(() => afterwards(run, at, seen))))
  })

/**
 * Makes a request, with retries before the first word of the answer, and gives its events, at the end what is made of the answer. Interrupting
 * the stream aborts the request.
 */
export const httpRun = <A>(run: HttpRun<A>): Items<A> =>
  Stream.unwrap(Effect.map(Clock.currentTimeMillis, (now) =>
    attempt({ ...run, deadline: run.settings.timeout === null ? null : now + run.settings.timeout }, {
      url: run.settings.url, dialect: newest, failures: 0, waited: 0, redirects: 0, started: false
    })))
