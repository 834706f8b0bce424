import { Clock, type Duration, Effect, Option, Result } from "effect"
import { HttpClient, type HttpClientRequest } from "effect/http"
import { retryAfter } from "../../domain/surfaces/outgoing/deliveryResult.ts"
import { type PostAnswer, PostError } from "../../services/PostError.ts"
import { layerOf } from "./HttpClientNode.ts"

/**
 * Sends a request once. The limit of time is from looking up the name to the head of the answer, whose body is not
 * read. Redirects are not followed. `who`: the receiver, for errors, which quote neither the address nor the answer:
 * both may contain a secret. `options`: see `layerOf`.
 */
export const postOnce = (
  request: HttpClientRequest.HttpClientRequest,
  who: string,
  timeout: Duration.Input,
  options?: Parameters<typeof layerOf>[1]
): Effect.Effect<PostAnswer, PostError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const answer = yield* Effect.flatMap(HttpClient.HttpClient, (client) => client.execute(request)).pipe(
      Effect.timeoutOption(timeout),
      Effect.result
    )
    if (Result.isFailure(answer)) return yield* new PostError({ why: `${who} cannot be reached`, again: true })
    if (Option.isNone(answer.success))
      return yield* new PostError({ why: `${who} did not answer in time`, again: true })
    const { headers, status } = answer.success.value
    return { status, afterMs: retryAfter(headers["retry-after"], now) }
  }).pipe(
    Effect.scoped,
    // A trace would carry the address and the headers.
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.provide(layerOf(process.env, options))
  )
