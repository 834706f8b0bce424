import { Clock, Effect, Option, Redacted, Result } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { createHmac } from "node:crypto"
import { retryAfter } from "../../domain/surfaces/outgoing/deliveryResult.ts"
import { keyOf, signedContent, signedHeaders } from "../../domain/surfaces/outgoing/signature.ts"
import { placeOf, type Webhook } from "../../domain/store/settings/OutSettings.ts"
import type { System } from "../../services/System.ts"
import { secretAt } from "./secretAt.ts"
import { type WebhookAnswer, WebhookError } from "../../services/Webhooks.ts"

/** The limit of one request, from looking up the name to the head of the answer. */
const timeout = "10 seconds"

/** Posts a body, signed now, in one attempt. Errors quote neither address nor answer: both may contain a secret. */
export const post = Effect.fn("Webhooks.post")(
  function* (webhook: Webhook, id: string, body: string, env: System["Service"]["env"]) {
    const failed = (why: string) => new WebhookError({ why })
    const place = placeOf(webhook.secretFile, webhook.secretEnv)
    const secret = yield* Effect.mapError(Effect.fromResult(secretAt(place, env)), failed)
    const key = keyOf(Redacted.value(secret))
    if ("why" in key) return yield* failed(`its secret cannot be used: ${key.why}`)
    const now = yield* Clock.currentTimeMillis
    const seconds = Math.floor(now / 1_000)
    const signature = createHmac("sha256", Buffer.from(key.text, key.encoding))
      .update(signedContent(id, seconds, body))
      .digest("base64")
    const request = HttpClientRequest.post(webhook.url).pipe(
      HttpClientRequest.setHeaders({ "user-agent": "leap", ...signedHeaders(id, seconds, signature) }),
      HttpClientRequest.bodyText(body, "application/json")
    )
    const answer = yield* (yield* HttpClient.HttpClient)
      .execute(request)
      .pipe(Effect.timeoutOption(timeout), Effect.result)
    if (Result.isFailure(answer)) return yield* failed("it cannot be reached")
    if (Option.isNone(answer.success)) return yield* failed("it did not answer in time")
    const { headers, status } = answer.success.value
    return { status, afterMs: retryAfter(headers["retry-after"], now) } satisfies WebhookAnswer
  },
  Effect.scoped,
  // A trace would carry the address.
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
  (effect) =>
    Effect.flatMap(
      Effect.promise(() => import("../system/HttpClientNode.ts")),
      ({ layer }) => Effect.provide(effect, layer)
    )
)
