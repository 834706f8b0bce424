import { Clock, Effect, type Pull, Random, type Scope, Stream } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import * as NodeStream from "@effect/platform-node/NodeStream"
import type { Duplex } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import type { AgentEvent } from "../../../domain/cli/headless/AgentEvent.ts"
import { excerptBytes } from "../../../domain/cli/headless/http/ChatBody.ts"
import { textOf } from "../../../domain/cli/headless/OutputTail.ts"
import { bodyOf, type Messages } from "../../../domain/cli/headless/http/ChatRequest.ts"
import * as HttpAttempt from "../../../domain/cli/headless/http/HttpAttempt.ts"
import type { CountTokens } from "../../../domain/cli/headless/tokens.ts"
import { transportFault } from "../../../domain/cli/headless/http/HttpFailure.ts"
import type { AgentError } from "../../../services/AgentProvider.ts"
import { runError } from "../agentRun.ts"

/** A running request, and the function for its answer. */
interface Run<A = unknown> extends HttpAttempt.HttpRun {
  readonly provider: string
  readonly client: HttpClient.HttpClient
  readonly messages: Messages["messages"]
  readonly count: CountTokens
  readonly finish: (answer: HttpAttempt.HttpAnswer) => Effect.Effect<A, AgentError>
}

type Items<A> = Stream.Stream<AgentEvent | A, AgentError>

interface TimedOut {
  readonly _tag: "TimedOut"
  readonly idle: boolean
}

const isTimedOut = (error: unknown): error is TimedOut =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "TimedOut"

/** Waits within the time limits of the run. */
const within = <A, E, R>(run: Run, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TimedOut, R> =>
  Effect.gen(function* () {
    const left = run.deadline === null ? Infinity : run.deadline - (yield* Clock.currentTimeMillis)
    const idle = run.settings.idleTimeout < left
    if (left <= 0) return yield* Effect.fail<TimedOut>({ _tag: "TimedOut", idle: false })
    return yield* Effect.timeoutOrElse(effect, {
      duration: idle ? run.settings.idleTimeout : left,
      orElse: () => Effect.fail<TimedOut>({ _tag: "TimedOut", idle })
    })
  })

const requestOf = (run: Run, { dialect, url }: HttpAttempt.HttpAttempt): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.post(url).pipe(
    HttpClientRequest.bodyText(JSON.stringify(bodyOf(run.settings, run.messages, dialect)), "application/json"),
    HttpClientRequest.setHeaders(run.settings.headers)
  )

type Bytes = Pull.Pull<readonly [Uint8Array, ...ReadonlyArray<Uint8Array>], unknown>

/** The most milliseconds of silence in the body of an error; in an answer there may be more. */
const excerptTime = 5_000

/** The same run with a shorter idle limit. */
const withIdleTime = (run: Run, time: number): Run => ({
  ...run,
  settings: { ...run.settings, idleTimeout: Math.min(time, run.settings.idleTimeout) }
})

/** The beginning of a body that is not an answer, up to the first part that cannot be read. */
const excerptOf = (run: Run, pull: Bytes): Effect.Effect<string> =>
  Effect.gen(function* () {
    const bounded = withIdleTime(run, excerptTime)
    const pieces: Array<Uint8Array> = []
    let size = 0
    while (size < excerptBytes) {
      const chunk = yield* within(bounded, pull).pipe(Effect.orElseSucceed(() => null))
      if (chunk === null) break
      for (const piece of chunk) {
        pieces.push(piece.subarray(0, excerptBytes - size))
        size += piece.length
        if (size >= excerptBytes) break
      }
    }
    return textOf({ pieces, size })
  })

type Inputs = Stream.Stream<HttpAttempt.HttpInput>

/** An input with its time. */
const timed = <A extends object>(input: A): Effect.Effect<A & { readonly at: number }> =>
  Effect.map(Clock.currentTimeMillis, (at) => ({ ...input, at }))

/** After the answer has ended: milliseconds of waiting for the token count, or for the server's end mark. */
const countTime = 1_000

/** The body's pieces, then how it ended. */
const bodyInputs = (run: Run, pull: Bytes, progress: Progress): Inputs =>
  Stream.fromPull(
    Effect.succeed(Effect.suspend(() => within(progress.isFinished ? withIdleTime(run, countTime) : run, pull)))
  ).pipe(
    Stream.mapEffect((bytes) => timed({ _tag: "Received", bytes } as const)),
    Stream.concat(Stream.fromEffect(timed({ _tag: "Ended" } as const))),
    Stream.catch((error) => Stream.fromEffect(timed(isTimedOut(error) ? error : ({ _tag: "Cut" } as const))))
  )

/** Whether the answer to an attempt has ended. */
interface Progress {
  isFinished: boolean
}

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
}

/** The body before compression: some servers and proxies compress although nobody asked for it. */
const plainBody = (response: HttpClientResponse.HttpClientResponse): Stream.Stream<Uint8Array, unknown> => {
  const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase()
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
  return decoder === undefined
    ? response.stream
    : NodeStream.pipeThroughDuplex(response.stream, { evaluate: decoder, onError: (error) => error })
}

const responseInputs = (run: Run, response: HttpClientResponse.HttpClientResponse, progress: Progress) =>
  Effect.gen(function* () {
    const pull: Bytes = yield* Stream.toPull(plainBody(response))
    if (response.status >= 200 && response.status < 300) {
      const contentType = response.headers["content-type"] ?? null
      return Stream.concat(Stream.make({ _tag: "Responded", contentType } as const), bodyInputs(run, pull, progress))
    }
    const body = yield* excerptOf(run, pull)
    const now = yield* Clock.currentTimeMillis
    const refusal = { status: response.status, headers: response.headers, body, now }
    return Stream.make({ _tag: "Refused", refusal } as const)
  })

const noResponse = (
  run: Run,
  error: HttpClientError.HttpClientError | TimedOut
): Effect.Effect<HttpAttempt.HttpInput> => {
  if (isTimedOut(error)) return timed(error)
  const cause = "cause" in error.reason ? error.reason.cause : error.reason
  return timed({ _tag: "Unreachable", fault: transportFault(cause, run.settings.secrets.values) } as const)
}

/** Makes the request and emits its inputs. Never fails, and holds the connection only while it runs. */
const inputsOf = (run: Run, attempt: HttpAttempt.HttpAttempt, progress: Progress): Inputs =>
  Stream.unwrap(
    within(run, HttpClient.withScope(run.client).execute(requestOf(run, attempt))).pipe(
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.matchEffect({
        onSuccess: (response): Effect.Effect<Inputs, never, Scope.Scope> => responseInputs(run, response, progress),
        onFailure: (error) => Effect.map(noResponse(run, error), (input): Inputs => Stream.make(input))
      })
    )
  )

/** The items after an attempt, whose connection is closed by now. */
const follow = <A>(run: Run<A>, next: HttpAttempt.HttpNext): Items<A> => {
  switch (next._tag) {
    case "Complete":
      return Stream.fromEffect(run.finish(next.answer))
    case "Fail":
      return Stream.fail(runError(run.provider, next.failure))
    case "Repeat":
      return attempted(run, next.attempt)
    case "Retry":
      return Stream.unwrap(
        Effect.logDebug(`${run.provider}: ${next.problem.message}; tried again in ${next.wait} ms`).pipe(
          Effect.andThen(Effect.sleep(next.wait)),
          Effect.as(attempted(run, next.attempt))
        )
      )
  }
}

/** The events of one attempt and of its followers. The attempt ends by failing with the next step. */
const attempted = <A>(run: Run<A>, attempt: HttpAttempt.HttpAttempt): Items<A> =>
  Stream.unwrap(
    Effect.map(Random.next, (random) => {
      const progress: Progress = { isFinished: false }
      return inputsOf(run, attempt, progress).pipe(
        Stream.mapAccum(
          () => HttpAttempt.start(attempt, random, run.count),
          (state, input) => {
            const step = HttpAttempt.step(run, state, input)
            progress.isFinished = HttpAttempt.isFinished(step[0])
            return step
          }
        ),
        Stream.mapEffect((item) => (item._tag === "Next" ? Effect.fail(item.next) : Effect.succeed(item))),
        Stream.catch((next) => follow(run, next))
      )
    })
  )

/**
 * Makes a request, with retries before the first word of the answer, and emits its events, then its result.
 * Interrupting the stream aborts the request.
 */
export const httpRun = <A>(request: Run<A>): Items<A> =>
  attempted(request, HttpAttempt.firstAttempt(request.settings.url))
