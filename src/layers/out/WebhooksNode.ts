import { Effect, Layer } from "effect"
import { Secrets } from "../../services/Secrets.ts"
import { Webhooks } from "../../services/Webhooks.ts"

/** Posts by Node's HTTP client, which is loaded when it is used. */
export const layer: Layer.Layer<Webhooks, never, Secrets> = Layer.effect(
  Webhooks,
  Effect.map(Secrets, (secrets) =>
    Webhooks.of({
      post: (webhook, id, body) =>
        Effect.flatMap(
          Effect.promise(() => import("./WebhooksNodePost.ts")),
          ({ post }) => post(webhook, id, body, secrets)
        )
    })
  )
)
