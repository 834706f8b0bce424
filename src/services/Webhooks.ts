import { Context, type Effect, Schema } from "effect"
import type { Webhook } from "../domain/store/settings/OutSettings.ts"

/** A request failed, or got no answer. `why` contains no secret, and no path of a URL. */
export class WebhookError extends Schema.TaggedError<WebhookError>()("WebhookError", {
  why: Schema.String
}) {
  override get message() {
    return this.why
  }
}

export interface WebhookAnswer {
  readonly status: number
  /** Its `Retry-After`, in milliseconds from now. */
  readonly afterMs: number | null
}

/** Posts bodies to webhooks, signed with their secrets, which are read at each attempt. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** One attempt, which ends within seconds. Redirects are not followed. */
    readonly post: (webhook: Webhook, id: string, body: string) => Effect.Effect<WebhookAnswer, WebhookError>
  }
>()("leap/services/Webhooks") {}
