import { Context, type Effect, Schema } from "effect"
import type { Webhook } from "../domain/rules/settings/OutSettings.ts"

/** No answer came to a request, or it could not be made. `why` names no secret, and no path of an address. */
export class WebhookError extends Schema.TaggedError<WebhookError>()("WebhookError", {
  why: Schema.String
}) {
  override get message() {
    return this.why
  }
}

/** What a receiver answered. */
export interface WebhookAnswer {
  readonly status: number
  /** Its `Retry-After`, in milliseconds from now. */
  readonly afterMs: number | null
}

/** Posts bodies to webhooks, signed with their secrets, which are read at each attempt. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** One attempt, which ends within seconds. Redirections are not followed. */
    readonly post: (webhook: Webhook, id: string, body: string) => Effect.Effect<WebhookAnswer, WebhookError>
  }
>()("leap/services/Webhooks") {}
