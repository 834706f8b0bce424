import { Clock, Effect, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { createHmac } from "node:crypto"
import { keyOf, signedContent, signedHeaders } from "../../domain/surfaces/outgoing/signature.ts"
import { placeOf, type Webhook } from "../../domain/store/settings/OutSettings.ts"
import type { System } from "../../services/System.ts"
import { secretAt } from "./secretAt.ts"
import { PostError } from "../../services/PostError.ts"

/** Posts a body, signed now, in one attempt. */
export const post = Effect.fn("Webhooks.post")(function* (
  webhook: Webhook,
  id: string,
  body: string,
  env: System["Service"]["env"]
) {
  const failed = (why: string) => new PostError({ why, again: false })
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
  const { postOnce } = yield* Effect.promise(() => import("../system/postOnce.ts"))
  return yield* postOnce(request, "it", "10 seconds")
})
