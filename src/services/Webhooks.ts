import { Context, type Effect } from "effect"
import type { Webhook } from "../domain/store/settings/OutSettings.ts"
import type { PostAnswer, PostError } from "./PostError.ts"

/** Posts bodies to webhooks, signed with their secrets, which are read at each attempt. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** One attempt, which ends within seconds. Redirects are not followed. */
    readonly post: (webhook: Webhook, id: string, body: string) => Effect.Effect<PostAnswer, PostError>
  }
>()("leap/services/Webhooks") {}
