import { Effect, Layer } from "effect"
import { System } from "../../services/System.ts"
import { Webhooks } from "../../services/Webhooks.ts"

/** Posts by Node's HTTP client, which is loaded on demand. */
export const layer: Layer.Layer<Webhooks, never, System> = Layer.effect(
  Webhooks,
  Effect.map(System, ({ env }) =>
    Webhooks.of({
      post: (webhook, id, body) =>
        Effect.flatMap(
          Effect.promise(() => import("./WebhooksNodePost.ts")),
          ({ post }) => post(webhook, id, body, env)
        )
    })
  )
)
