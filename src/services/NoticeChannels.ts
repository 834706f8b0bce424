import { Context, type Effect, Schema } from "effect"
import type { Notice } from "../domain/surfaces/notify/Notice.ts"
import type { PushTarget } from "../domain/store/settings/PushTarget.ts"

/** A notice was not delivered. `why` contains no secret; `again`: a retry may help. */
export class NoticeError extends Schema.TaggedError<NoticeError>()("NoticeError", {
  channel: Schema.String,
  why: Schema.String,
  again: Schema.Boolean
}) {
  override get message() {
    return `no notice by ${this.channel}: ${this.why}`
  }
}

/** Ways to notify the user outside a terminal. Each is one attempt that ends within seconds. */
export class NoticeChannels extends Context.Service<
  NoticeChannels,
  {
    /** Whether this process runs on a desktop that shows notices, as far as this is known without showing one. */
    readonly hasDesktop: Effect.Effect<boolean>
    readonly desktop: (notice: Notice) => Effect.Effect<void, NoticeError>
    readonly post: (notice: Notice, target: PushTarget) => Effect.Effect<void, NoticeError>
  }
>()("leap/services/NoticeChannels") {}
