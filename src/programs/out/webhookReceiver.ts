import { Effect } from "effect"
import { type Verdict, verdictOf } from "../../domain/surfaces/out/attempt.ts"
import { bodyOf, withoutTexts } from "../../domain/surfaces/out/OutEvent.ts"
import type { Webhook } from "../../domain/rules/settings/OutSettings.ts"
import { Webhooks } from "../../services/Webhooks.ts"
import type { Receiver } from "./deliverEvents.ts"

/** A webhook as one who is told what happens. */
export const webhookReceiver = Effect.fnUntraced(function* (webhook: Webhook) {
  const webhooks = yield* Webhooks
  return {
    name: webhook.name,
    title: `webhook ${webhook.name}`,
    deliver: ({ event, sequence }) => {
      const body = bodyOf({ sequence, event: webhook.texts ? event : withoutTexts(event) })
      return webhooks.post(webhook, event.id, body).pipe(
        Effect.match({
          onFailure: ({ why }): Verdict => ({ _tag: "Again", why, afterMs: null }),
          onSuccess: ({ afterMs, status }) => verdictOf(status, afterMs)
        })
      )
    }
  } satisfies Receiver
})
